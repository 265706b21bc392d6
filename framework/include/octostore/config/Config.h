// SPDX-License-Identifier: MIT
/// @file
/// The configuration as plugins see it, and how they declare their keys.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Time.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::config
{

enum class KeyType
{
    Text,
    Boolean,  ///< 1/true/on/yes or 0/false/off/no, in any case
    Integer,  ///< `least`..`most`
    Duration, ///< 500ms 30s 5m 2h; `least`..`most` in milliseconds
    Size,     ///< bytes: 64KiB 16MiB 1GiB or a plain integer; `least`..`most` in bytes
    List,     ///< separated by commas
    Path,
    Secret, ///< text that is never shown; `<key>_file` names a file that has it
};

enum class Reload
{
    Restart, ///< takes effect at the next start
    Hot,     ///< takes effect at SIGHUP
};

/// One row of the key table. The table is the only place that knows a key: files, environment,
/// command line, sample file, docs and `config check` are all derived from it.
///
/// One component of a name may be `*`: then the row stands for a family of keys whose names are
/// free there (`auth.static.*.token`). Families have no environment variables.
struct Key
{
    std::string name; ///< `storage.database`
    KeyType type = KeyType::Text;
    std::string defaultValue; ///< as it would be written in the file; empty: unset
    std::string help;         ///< one or two sentences for the sample file
    std::uint64_t least = 0;
    std::uint64_t most = UINT64_MAX;
    Reload reload = Reload::Restart;
    /// The reference's variable (`DATABASE_URL`), beside OCTOSTORE_STORAGE_DATABASE. Empty: none.
    std::string legacyVariable;
    std::vector<std::string> choices; ///< when not empty, the only values allowed
};

/// Validated values of one moment. Getting a key that is not in the table, or as another type, is
/// a fault of the program and asserts. Thread-safety: immutable.
class OCTOSTORE_API View
{
public:
    virtual ~View();
    /// Unset gives the empty string.
    virtual std::string text(std::string_view key) const = 0;
    virtual bool boolean(std::string_view key) const = 0;
    virtual std::uint64_t integer(std::string_view key) const = 0;
    virtual Milliseconds duration(std::string_view key) const = 0;
    virtual std::uint64_t bytes(std::string_view key) const = 0;
    virtual std::vector<std::string> list(std::string_view key) const = 0;
    /// Set by file, environment or command line, even if to the default.
    virtual bool isSet(std::string_view key) const = 0;
    /// What stands for `*` in the keys set below `family` (`auth.static`), each once and sorted.
    virtual std::vector<std::string> names(std::string_view family) const;
};

} // namespace octostore::config
