// SPDX-License-Identifier: MIT
#include "config/Suggestion.h"
#include "config/ValueText.h"

#include <octostore/config/KeyTable.h>

#include <algorithm>

namespace octostore::config
{

namespace
{

constexpr std::string_view fileSuffix = "_file";

bool isNameCharacter(char c) noexcept
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

bool isKeyName(const Key& key)
{
    std::string name = key.name;
    if (isFamily(key))
        name.replace(name.find('*'), 1, "x");
    return !name.empty() && name.front() != '.' && name.back() != '.' &&
           name.find("..") == std::string::npos &&
           std::all_of(name.begin(), name.end(), isNameCharacter);
}

bool needsDefault(KeyType type) noexcept
{
    return type == KeyType::Boolean || type == KeyType::Integer || type == KeyType::Duration ||
           type == KeyType::Size;
}

Error fault(const Key& key, const std::string& message)
{
    return {ErrorCode::Configuration, "configuration key " + key.name + " " + message};
}

} // namespace

bool isFamily(const Key& key) noexcept
{
    return key.name.find(".*.") != std::string::npos;
}

std::optional<std::string_view> memberName(const Key& family, std::string_view name) noexcept
{
    const std::string_view pattern = family.name;
    const std::size_t star = pattern.find('*');
    const std::string_view before = pattern.substr(0, star);
    const std::string_view after = pattern.substr(star + 1);
    if (name.size() <= before.size() + after.size() || name.substr(0, before.size()) != before ||
        name.substr(name.size() - after.size()) != after)
        return std::nullopt;
    return name.substr(before.size(), name.size() - before.size() - after.size());
}

std::string variableOf(std::string_view key)
{
    std::string variable = "OCTOSTORE_";
    for (const char c : key)
    {
        if (c == '.')
            variable += '_';
        else if (c >= 'a' && c <= 'z')
            variable += static_cast<char>(c - 'a' + 'A');
        else if (c != '-')
            variable += c;
    }
    return variable;
}

Result<void> KeyTable::add(Key key)
{
    if (!isKeyName(key))
        return fault(key, "has a malformed name");
    for (const Key& other : _keys)
    {
        if (variableOf(other.name) == variableOf(key.name))
            return fault(key, "has the name or the environment variable of another one");
    }
    if (!key.defaultValue.empty())
    {
        const auto parsed = parseValue(key, key.defaultValue);
        if (!parsed)
            return fault(key, "has a wrong default: " + parsed.error().message);
    }
    else if (needsDefault(key.type))
        return fault(key, "needs a default");
    _keys.push_back(std::move(key));
    return {};
}

Result<void> KeyTable::add(std::vector<Key> keys)
{
    for (Key& key : keys)
    {
        if (auto added = add(std::move(key)); !added)
            return added;
    }
    return {};
}

const Key* KeyTable::find(std::string_view name) const noexcept
{
    const Key* family = nullptr;
    for (const Key& key : _keys)
    {
        if (key.name == name)
            return &key;
        if (family == nullptr && isFamily(key) && memberName(key, name))
            family = &key;
    }
    return family;
}

const Key* KeyTable::secretBehind(std::string_view fileKey) const noexcept
{
    if (fileKey.size() <= fileSuffix.size() || find(fileKey) != nullptr ||
        fileKey.substr(fileKey.size() - fileSuffix.size()) != fileSuffix)
        return nullptr;
    const Key* key = find(fileKey.substr(0, fileKey.size() - fileSuffix.size()));
    return key != nullptr && key->type == KeyType::Secret ? key : nullptr;
}

std::optional<std::string> KeyTable::nearest(std::string_view name) const
{
    std::vector<std::string> names;
    for (const Key& key : _keys)
        names.push_back(key.name);
    return nearestWord(name, names);
}

} // namespace octostore::config
