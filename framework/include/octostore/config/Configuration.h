// SPDX-License-Identifier: MIT
/// @file
/// The configuration of one moment, and where each value came from.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/config/Config.h>
#include <octostore/config/KeyTable.h>
#include <octostore/config/Problem.h>
#include <octostore/config/Sources.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::config
{

/// Who decided a value; a later one overrules an earlier one.
enum class Layer
{
    Default,
    File,       ///< octostore.properties, then conf.d/*.properties in byte order
    Credential, ///< a file named like the key in $CREDENTIALS_DIRECTORY (secrets only)
    Environment,
    CommandLine
};

struct Origin
{
    Layer layer = Layer::Default;
    /// `octostore.properties:12`, `BIND_ADDR`, `--set`; `default`.
    std::string place = "default";
};

/// One line of `octostore config print`.
struct Entry
{
    std::string key;
    std::string shown; ///< as it was written; `***` for a secret
    Origin origin;
    Reload reload = Reload::Restart;
};

enum class UnknownKeys
{
    Refuse,
    /// For the first look, when the keys of plugins are not known yet.
    Ignore
};

struct LoadedConfiguration;

/// Thread-safety: immutable.
class OCTOSTORE_API Configuration final : public View
{
public:
    /// Reads every source and reports everything that is wrong, not only the first. A key whose
    /// value is wrong has its default in the result.
    static LoadedConfiguration load(const KeyTable& table, const Sources& sources,
                                    UnknownKeys unknownKeys = UnknownKeys::Refuse);

    std::string text(std::string_view key) const override;
    bool boolean(std::string_view key) const override;
    std::uint64_t integer(std::string_view key) const override;
    Milliseconds duration(std::string_view key) const override;
    std::uint64_t bytes(std::string_view key) const override;
    std::vector<std::string> list(std::string_view key) const override;
    bool isSet(std::string_view key) const override;
    std::vector<std::string> names(std::string_view family) const override;

    Origin origin(std::string_view key) const;
    /// Every key in the order of the table; of families those that are set.
    std::vector<Entry> entries() const;
    /// The keys whose values are other ones than in `previous`, in the order of their names.
    std::vector<std::string> changedFrom(const Configuration& previous) const;

private:
    friend class Loader;
    /// A value in every form its type needs.
    struct Value
    {
        std::string written;
        std::uint64_t number = 0; ///< 0 or 1, an integer, milliseconds or bytes
        std::vector<std::string> elements;
        Origin origin;
    };

    explicit Configuration(KeyTable table) : _table(std::move(table)) {}
    const Key& row(std::string_view key) const;
    Value value(std::string_view key, KeyType type) const;

    KeyTable _table;
    std::map<std::string, Value, std::less<>> _set; // what is not here has its default
};

struct LoadedConfiguration
{
    std::unique_ptr<Configuration> configuration; ///< never null
    std::vector<Problem> problems;                ///< none: the configuration may be used
    std::vector<Problem> warnings;
};

} // namespace octostore::config
