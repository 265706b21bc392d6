// SPDX-License-Identifier: MIT
/// @file
/// Digests of secrets as the keys of a hash table.
#pragma once

#include <octostore/base/Digest.h>

#include <cstddef>
#include <cstring>
#include <unordered_map>

namespace octostore
{

/// The bytes are as good as random already.
struct DigestHash
{
    std::size_t operator()(const Digest& digest) const noexcept
    {
        std::size_t hash = 0;
        std::memcpy(&hash, digest.data(), sizeof hash);
        return hash;
    }
};

struct DigestEqual
{
    bool operator()(const Digest& a, const Digest& b) const noexcept { return equalSecrets(a, b); }
};

/// The place of a digest depends on the secret only through SHA-256, so a lookup's duration tells
/// nothing that helps to guess the secret; the comparison itself takes constant time.
template <class Value>
using ByDigest = std::unordered_map<Digest, Value, DigestHash, DigestEqual>;

} // namespace octostore
