// SPDX-License-Identifier: MIT
/// @file
/// Puts the sources of the configuration on top of one another.
#pragma once

#include <octostore/config/Configuration.h>
#include <octostore/config/PropertiesText.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace octostore::config
{

/// Loads once. Thread-safety: thread-compatible.
class Loader
{
public:
    /// Both must outlive this object.
    Loader(const KeyTable& table, const Sources& sources, UnknownKeys unknownKeys);

    LoadedConfiguration load();

private:
    /// How a key comes by its value.
    enum class Through
    {
        Value,
        File, ///< that holds it
    };
    /// Where a value stands.
    struct Place
    {
        Layer layer;
        std::string name;
        std::size_t line = 0;
    };

    void loadFiles();
    void loadFile(const std::string& path);
    void loadDropIns(const std::string& directory);
    void loadCredentials();
    void loadEnvironment();
    void loadVariables(const Key& key);
    void loadSettings();
    void warnOfUnknownVariables();

    /// What is set from here on can contradict only what is set from here on.
    void beginLayer();
    void setByName(const std::string& name, std::string_view text, const Place& place);
    void set(const Key& key, const std::string& name, std::string_view text, const Place& place);
    void setFromFile(const Key& secret, const std::string& name, const std::string& path,
                     const Place& place);
    /// False, and a problem, when the layer has the other of a secret and its file.
    bool claim(const std::string& name, Through through, const Place& place);
    void report(const Place& place, std::string key, std::string message);
    void warn(const Place& place, std::string key, std::string message);

    std::optional<std::string> variable(const std::string& name) const;
    /// The file to read, if there is one.
    std::optional<std::string> mainFile();

    const KeyTable& _table;
    const Sources& _sources;
    const UnknownKeys _unknownKeys;
    std::unique_ptr<Configuration> _configuration;
    std::map<std::string, Through> _claims; // of this layer
    std::set<std::string> _knownVariables;
    std::vector<Problem> _problems;
    std::vector<Problem> _warnings;
};

} // namespace octostore::config
