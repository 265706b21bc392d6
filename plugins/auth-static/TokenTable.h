// SPDX-License-Identifier: MIT
/// @file
/// The static tokens of one moment, found by digest.
#pragma once

#include "StaticToken.h"

#include <octostore/base/DigestKey.h>
#include <octostore/base/Result.h>
#include <octostore/http/Identity.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::auth
{

/// Names differ also when their case is ignored; tokens differ.
/// Thread-safety: immutable.
class TokenTable
{
public:
    TokenTable() = default;
    /// Errors: Configuration, two entries with one name or one token; says where both are.
    static Result<TokenTable> make(const std::vector<StaticToken>& tokens);

    /// Its duration tells nothing that helps to guess a token.
    std::optional<http::Identity> find(const Digest& token) const;
    std::size_t size() const noexcept { return _identities.size(); }
    std::vector<http::Account> accounts() const;
    bool hasName(std::string_view name) const;

private:
    ByDigest<http::Identity> _identities;
    std::set<std::string, std::less<>> _names; ///< in lower case
};

} // namespace octostore::auth
