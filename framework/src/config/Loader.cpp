// SPDX-License-Identifier: MIT
#include "config/Loader.h"

#include "config/FileText.h"
#include "config/Suggestion.h"
#include "config/ValueText.h"

#include <octostore/base/Text.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace octostore::config
{

namespace fs = std::filesystem;

Loader::Loader(const KeyTable& table, const Sources& sources, UnknownKeys unknownKeys)
    : _table(table),
      _sources(sources),
      _unknownKeys(unknownKeys),
      _configuration(new Configuration(table))
{
}

LoadedConfiguration Loader::load()
{
    loadFiles();
    loadCredentials();
    loadEnvironment();
    loadSettings();
    return {std::move(_configuration), std::move(_problems), std::move(_warnings)};
}

std::optional<std::string> Loader::variable(const std::string& name) const
{
    const auto found = _sources.environment.find(name);
    return found != _sources.environment.end() ? std::optional(found->second) : std::nullopt;
}

std::optional<std::string> Loader::mainFile()
{
    if (_sources.file)
        return _sources.file;
    if (auto named = variable("OCTOSTORE_CONFIG"))
    {
        if (!trim(*named).empty())
            return named;
        report({Layer::Environment, "OCTOSTORE_CONFIG"}, {}, "is set but empty; it names a file");
        return std::nullopt;
    }
    // Written as an operator would: without "./" in front.
    const std::string local = _sources.directory == "."
                                  ? "octostore.properties"
                                  : _sources.directory + "/octostore.properties";
    std::error_code ignored;
    for (const std::string& path : {local, _sources.systemFile})
    {
        if (fs::exists(path, ignored))
            return path;
    }
    return std::nullopt;
}

void Loader::loadFiles()
{
    const auto main = mainFile();
    if (!main)
        return;
    loadFile(*main);
    loadDropIns((fs::path(*main).parent_path() / "conf.d").string());
}

void Loader::loadDropIns(const std::string& directory)
{
    std::error_code error;
    if (!fs::exists(directory, error))
        return;
    std::vector<std::string> paths;
    for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error))
    {
        if (at->path().extension() == ".properties")
            paths.push_back(at->path().string());
    }
    if (error)
        report({Layer::File, directory}, {}, "cannot be listed: " + error.message());
    std::sort(paths.begin(), paths.end());
    for (const std::string& path : paths)
        loadFile(path);
}

void Loader::loadFile(const std::string& path)
{
    const auto text = readFileText(path);
    if (!text)
        return report({Layer::File, path}, {}, text.error().message);
    beginLayer();
    const std::size_t before = _problems.size();
    PropertiesText parsed = parseProperties(*text, path);
    std::move(parsed.problems.begin(), parsed.problems.end(), std::back_inserter(_problems));
    bool hasSecret = false;
    for (const Property& property : parsed.properties)
    {
        const Key* key = _table.find(property.key);
        hasSecret = hasSecret || (key != nullptr && key->type == KeyType::Secret);
        setByName(property.key, property.value, {Layer::File, path, property.line});
    }
    if (hasSecret && isReadableByOthers(path))
        warn({Layer::File, path}, {}, "has secrets and can be read by others; use chmod 600");
    std::stable_sort(_problems.begin() + static_cast<std::ptrdiff_t>(before), _problems.end(),
                     [](const Problem& a, const Problem& b) { return a.line < b.line; });
}

void Loader::loadCredentials()
{
    const auto directory = variable("CREDENTIALS_DIRECTORY");
    if (!directory || directory->empty())
        return;
    beginLayer();
    for (const Key& key : _table.keys())
    {
        const std::string path = *directory + "/" + key.name;
        std::error_code ignored;
        if (key.type == KeyType::Secret && !isFamily(key) && fs::exists(path, ignored))
            setFromFile(key, key.name, path, {Layer::Credential, "CREDENTIALS_DIRECTORY"});
    }
}

void Loader::loadEnvironment()
{
    beginLayer();
    for (const Key& key : _table.keys())
    {
        if (!isFamily(key))
            loadVariables(key);
    }
    warnOfUnknownVariables();
}

void Loader::loadVariables(const Key& key)
{
    const bool hasFile = _table.secretBehind(key.name + "_file") == &key;
    for (const std::string_view suffix : {"", "_FILE"})
    {
        if (!suffix.empty() && !hasFile)
            continue;
        std::string chosen = variableOf(key.name).append(suffix);
        _knownVariables.insert(chosen);
        if (!key.legacyVariable.empty())
        {
            const std::string legacy = key.legacyVariable + std::string(suffix);
            _knownVariables.insert(legacy);
            if (!variable(chosen))
                chosen = legacy;
            else if (variable(legacy))
                warn({Layer::Environment, legacy}, key.name, "is ignored, " + chosen + " is set");
        }
        const auto text = variable(chosen);
        if (!text)
            continue;
        const Place place{Layer::Environment, chosen};
        if (!isUtf8(*text))
            report(place, key.name, "is not valid UTF-8");
        else if (suffix.empty())
            set(key, key.name, *text, place);
        else
            setFromFile(key, key.name, *text, place);
    }
}

void Loader::warnOfUnknownVariables()
{
    // Those of the client commands and of the installer, and those that choose sources.
    _knownVariables.insert({"OCTOSTORE_CONFIG", "OCTOSTORE_URL", "OCTOSTORE_TOKEN",
                            "OCTOSTORE_TOKEN_FILE", "OCTOSTORE_CA_BUNDLE", "OCTOSTORE_KIND",
                            "OCTOSTORE_NAME", "OCTOSTORE_TERM", "OCTOSTORE_SERVER",
                            "OCTOSTORE_DEADLINE_FILE", "OCTOSTORE_INSTALL_DIR", "OCTOSTORE_VERSION",
                            "OCTOSTORE_DOWNLOAD_BASE"});
    if (_unknownKeys == UnknownKeys::Ignore)
        return;
    const std::vector<std::string> known(_knownVariables.begin(), _knownVariables.end());
    for (const auto& entry : _sources.environment)
    {
        const std::string& name = entry.first;
        if (name.compare(0, 10, "OCTOSTORE_") == 0 && _knownVariables.count(name) == 0)
            warn({Layer::Environment, name}, {},
                 "is no known variable" + didYouMean(nearestWord(name, known)));
    }
}

void Loader::loadSettings()
{
    for (const std::string& setting : _sources.settings)
    {
        beginLayer(); // the last one wins
        const Place place{Layer::CommandLine, "--set"};
        const std::size_t equals = setting.find('=');
        if (equals == std::string::npos)
            report(place, {}, "needs key=value");
        else if (!isUtf8(setting))
            report(place, {}, "is not valid UTF-8");
        else
            setByName(setting.substr(0, equals), setting.substr(equals + 1), place);
    }
}

void Loader::beginLayer()
{
    _claims.clear();
}

bool Loader::claim(const std::string& name, Through through, const Place& place)
{
    const auto [claimed, isNew] = _claims.emplace(name, through);
    if (isNew || claimed->second == through)
        return true;
    report(place, name, "is set both directly and through a file; remove one of them");
    return false;
}

void Loader::setByName(const std::string& name, std::string_view text, const Place& place)
{
    if (const Key* key = _table.find(name); key != nullptr && name.find('*') == std::string::npos)
        return set(*key, name, text, place);
    if (const Key* secret = _table.secretBehind(name))
        return setFromFile(*secret, name.substr(0, name.size() - 5), std::string(text), place);
    if (_unknownKeys == UnknownKeys::Refuse)
        report(place, name, "is no known key" + didYouMean(_table.nearest(name)));
}

void Loader::set(const Key& key, const std::string& name, std::string_view text, const Place& place)
{
    if (!claim(name, Through::Value, place))
        return;
    auto parsed = parseValue(key, text);
    if (!parsed)
        return report(place, name, parsed.error().message);
    const std::string where =
        place.name + (place.line != 0 ? ":" + std::to_string(place.line) : std::string());
    _configuration->_set.insert_or_assign(name, Configuration::Value{std::move(parsed->text),
                                                                     parsed->number,
                                                                     std::move(parsed->elements),
                                                                     {place.layer, where}});
}

void Loader::setFromFile(const Key& secret, const std::string& name, const std::string& path,
                         const Place& place)
{
    if (!claim(name, Through::File, place))
        return;
    if (trim(path).empty())
        return report(place, name, "names no file");
    const auto text = readFileText(path);
    if (!text)
        return report(place, name, "its file " + path + " " + text.error().message);
    std::string_view content = *text;
    if (!content.empty() && content.back() == '\n')
        content.remove_suffix(1);
    if (!content.empty() && content.back() == '\r')
        content.remove_suffix(1);
    if (!isUtf8(content))
        return report(place, name, "its file " + path + " is not valid UTF-8");
    if (trim(content).empty())
        return report(place, name, "its file " + path + " is empty");
    if (place.layer != Layer::Credential && isReadableByOthers(path))
        warn(place, name, "its file " + path + " can be read by others; use chmod 600");
    _claims.erase(name);
    set(secret, name, content, place);
    _claims.insert_or_assign(name, Through::File);
}

void Loader::report(const Place& place, std::string key, std::string message)
{
    _problems.push_back({place.name, place.line, std::move(key), std::move(message)});
}

void Loader::warn(const Place& place, std::string key, std::string message)
{
    _warnings.push_back({place.name, place.line, std::move(key), std::move(message)});
}

} // namespace octostore::config
