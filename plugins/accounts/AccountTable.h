// SPDX-License-Identifier: MIT
/// @file
/// The accounts of the store, found by token and by name.
#pragma once

#include <octostore/backend/Record.h>
#include <octostore/base/Digest.h>
#include <octostore/base/Id.h>
#include <octostore/base/Mutex.h>

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace octostore::accounts
{

/// A stored account and the version that a change of it has to be conditioned on.
struct StoredAccount
{
    backend::PrincipalRecord record;
    Revision version;
};

/// Names are compared with their case ignored. Thread-safety: thread-safe.
class AccountTable
{
public:
    /// Adds an account, or replaces the one of the same name unless that is newer. The token it had
    /// is unknown afterwards.
    void put(const StoredAccount& account) OCTOSTORE_EXCLUDES(_mutex);

    /// The place of a digest depends on the secret only through SHA-256, so a lookup's duration
    /// tells nothing that helps to guess a token; the comparison itself takes constant time.
    std::optional<StoredAccount> findByToken(const Digest& token) const OCTOSTORE_EXCLUDES(_mutex);
    bool hasName(std::string_view name) const OCTOSTORE_EXCLUDES(_mutex);
    std::vector<backend::PrincipalRecord> all() const OCTOSTORE_EXCLUDES(_mutex);
    std::size_t size() const OCTOSTORE_EXCLUDES(_mutex);

private:
    struct Hash
    {
        std::size_t operator()(const Digest& digest) const noexcept;
    };
    struct Equal
    {
        bool operator()(const Digest& a, const Digest& b) const noexcept
        {
            return equalSecrets(a, b);
        }
    };
    using ByName = std::map<std::string, StoredAccount, std::less<>>;

    mutable Mutex _mutex;
    ByName _accounts OCTOSTORE_GUARDED_BY(_mutex); ///< by name in lower case
    std::unordered_map<Digest, ByName::const_iterator, Hash, Equal>
        _byToken OCTOSTORE_GUARDED_BY(_mutex);
};

} // namespace octostore::accounts
