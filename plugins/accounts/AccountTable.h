// SPDX-License-Identifier: MIT
/// @file
/// The accounts of the store, found by token and by name.
#pragma once

#include <octostore/backend/Record.h>
#include <octostore/base/DigestKey.h>
#include <octostore/base/Id.h>
#include <octostore/base/Mutex.h>

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
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

    /// Its duration tells nothing that helps to guess a token.
    std::optional<StoredAccount> findByToken(const Digest& token) const OCTOSTORE_EXCLUDES(_mutex);
    bool hasName(std::string_view name) const OCTOSTORE_EXCLUDES(_mutex);
    std::vector<backend::PrincipalRecord> all() const OCTOSTORE_EXCLUDES(_mutex);
    std::size_t size() const OCTOSTORE_EXCLUDES(_mutex);

private:
    using ByName = std::map<std::string, StoredAccount, std::less<>>;

    mutable Mutex _mutex;
    ByName _accounts OCTOSTORE_GUARDED_BY(_mutex); ///< by name in lower case
    ByDigest<ByName::const_iterator> _byToken OCTOSTORE_GUARDED_BY(_mutex);
};

} // namespace octostore::accounts
