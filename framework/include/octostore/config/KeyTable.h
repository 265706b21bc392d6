// SPDX-License-Identifier: MIT
/// @file
/// Every configuration key there is.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Result.h>
#include <octostore/config/Config.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::config
{

/// The server's keys; plugins add theirs before the configuration is loaded.
/// Thread-safety: thread-compatible.
class OCTOSTORE_API KeyTable
{
public:
    /// Errors: Configuration when the name is malformed or taken, its variable is another key's, or
    /// the default is not a value of its own type.
    Result<void> add(Key key);
    /// Stops at the first error.
    Result<void> add(std::vector<Key> keys);

    /// The row of this name, else that of its family; null: there is none. Valid until add().
    const Key* find(std::string_view name) const noexcept;
    /// The secret that `fileKey` names a file for (`auth.admin_key_file`): every secret has such a
    /// key unless the table has a row of that name. Null: there is none.
    const Key* secretBehind(std::string_view fileKey) const noexcept;
    /// In the order of add().
    const std::vector<Key>& keys() const noexcept { return _keys; }
    /// The name that was probably meant.
    std::optional<std::string> nearest(std::string_view name) const;

private:
    std::vector<Key> _keys;
};

/// The keys of the server itself.
OCTOSTORE_API KeyTable serverKeys();

OCTOSTORE_API bool isFamily(const Key& key) noexcept;
/// What stands for `*`; nothing if `name` is not of the family.
OCTOSTORE_API std::optional<std::string_view> memberName(const Key& family,
                                                         std::string_view name) noexcept;

/// `OCTOSTORE_STORAGE_DATABASE` for `storage.database`. Dashes are dropped.
OCTOSTORE_API std::string variableOf(std::string_view key);

} // namespace octostore::config
