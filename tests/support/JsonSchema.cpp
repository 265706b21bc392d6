// SPDX-License-Identifier: MIT
#include "JsonSchema.h"

#include <octostore/base/Assert.h>
#include <octostore/base/Text.h>

#include <algorithm>
#include <set>

namespace octostore::test
{

namespace
{

bool equal(const JsonValue& a, const JsonValue& b)
{
    if (a.asString() != nullptr && b.asString() != nullptr)
        return *a.asString() == *b.asString();
    if (a.asInteger() != nullptr && b.asInteger() != nullptr)
        return *a.asInteger() == *b.asInteger();
    if (a.asBool() != nullptr && b.asBool() != nullptr)
        return *a.asBool() == *b.asBool();
    return a.isNull() && b.isNull();
}

bool isOfType(const JsonValue& value, const std::string& type)
{
    if (type == "number")
        return value.asInteger() != nullptr || value.asDouble() != nullptr;
    return (type == "object" && value.asObject() != nullptr) ||
           (type == "array" && value.asArray() != nullptr) ||
           (type == "string" && value.asString() != nullptr) ||
           (type == "integer" && value.asInteger() != nullptr) ||
           (type == "boolean" && value.asBool() != nullptr) || (type == "null" && value.isNull());
}

bool isNote(const std::string& keyword)
{
    static const std::set<std::string> notes{"$schema", "$id",         "$defs",
                                             "title",   "description", "default",
                                             "example", "examples",    "format"};
    return notes.count(keyword) != 0;
}

bool isOfOneType(const JsonValue& value, const JsonValue& types)
{
    if (types.asArray() == nullptr)
        return isOfType(value, *types.asString());
    for (const JsonValue& type : *types.asArray())
        if (isOfType(value, *type.asString()))
            return true;
    return false;
}

bool contains(const JsonValue::Array& values, const JsonValue& value)
{
    for (const JsonValue& one : values)
        if (equal(one, value))
            return true;
    return false;
}

} // namespace

JsonSchema::JsonSchema(std::string_view schema, Others others) : _others(others)
{
    auto root = readJson(schema);
    OCTOSTORE_ASSERT(root.ok());
    _root = *std::move(root);
}

std::string JsonSchema::check(std::string_view json) const
{
    const auto object = readJson(json);
    if (!object)
        return "not a JSON object: " + object.error().message;
    return check(JsonValue(*object), _root, "$");
}

std::string JsonSchema::check(const JsonValue& value, const JsonValue::Object& schema,
                              const std::string& where) const
{
    for (const auto& [keyword, argument] : schema)
    {
        if (isNote(keyword))
            continue;
        std::string problem = checkKeyword(keyword, argument, value, schema, where);
        if (!problem.empty())
            return problem;
    }
    return {};
}

std::string JsonSchema::checkKeyword(const std::string& keyword, const JsonValue& argument,
                                     const JsonValue& value, const JsonValue::Object& schema,
                                     const std::string& where) const
{
    const std::string violation = where + " breaks " + keyword;
    if (keyword == "$ref")
        return check(value, at(*argument.asString()), where);
    if (keyword == "type")
        return isOfOneType(value, argument) ? "" : violation;
    if (keyword == "const")
        return equal(value, argument) ? "" : violation;
    if (keyword == "enum")
        return contains(*argument.asArray(), value) ? "" : violation;
    if (keyword == "required")
    {
        for (const JsonValue& name : *argument.asArray())
            if (value.asObject() == nullptr || value.asObject()->count(*name.asString()) == 0)
                return where + " lacks " + *name.asString();
        return {};
    }
    if (keyword == "properties")
        return checkProperties(value, schema, where);
    if (keyword == "additionalProperties")
        return schema.count("properties") != 0 ? "" : checkProperties(value, schema, where);
    if (keyword == "oneOf")
        return checkOneOf(*argument.asArray(), value, where);
    if (keyword == "items")
        return checkItems(*argument.asObject(), value, where);
    return checkExtent(keyword, argument, value, where);
}

/// What is not of the type that a keyword is about fits it.
std::string JsonSchema::checkExtent(const std::string& keyword, const JsonValue& argument,
                                    const JsonValue& value, const std::string& where) const
{
    const std::string violation = where + " breaks " + keyword;
    const std::int64_t* number = value.asInteger();
    const std::string* text = value.asString();
    const auto length = [&] { return static_cast<std::int64_t>(countScalars(*text)); };
    if (keyword == "minimum")
        return number == nullptr || *number >= *argument.asInteger() ? "" : violation;
    if (keyword == "maximum")
        return number == nullptr || *number <= *argument.asInteger() ? "" : violation;
    if (keyword == "minLength")
        return text == nullptr || length() >= *argument.asInteger() ? "" : violation;
    if (keyword == "maxLength")
        return text == nullptr || length() <= *argument.asInteger() ? "" : violation;
    if (keyword == "pattern")
        return text == nullptr || matches(*text, *argument.asString()) ? "" : violation;
    return "unknown keyword " + keyword;
}

std::string JsonSchema::checkProperties(const JsonValue& value, const JsonValue::Object& schema,
                                        const std::string& where) const
{
    static const JsonValue::Object none;
    const auto known = schema.find("properties");
    const JsonValue::Object& properties = known == schema.end() ? none : *known->second.asObject();
    const auto additional = schema.find("additionalProperties");
    const bool complete = _others == Others::Violate && known != schema.end();
    if (value.asObject() == nullptr)
        return {}; // `type` says whether it has to be one
    for (const auto& [name, member] : *value.asObject())
    {
        const auto found = properties.find(name);
        const bool unruled = found == properties.end() && additional == schema.end();
        if (unruled && !complete)
            continue;
        const JsonValue* rules = found != properties.end() ? &found->second
                                 : unruled                 ? nullptr
                                                           : &additional->second;
        if (rules == nullptr || rules->asObject() == nullptr)
            return where + " has the unknown member " + name;
        std::string problem = check(member, *rules->asObject(), where + "." + name);
        if (!problem.empty())
            return problem;
    }
    return {};
}

bool JsonSchema::matches(const std::string& text, const std::string& pattern) const
{
    auto known = _patterns.find(pattern);
    if (known == _patterns.end())
        known = _patterns.emplace(pattern, std::regex(pattern)).first;
    return std::regex_search(text, known->second);
}

std::string JsonSchema::checkItems(const JsonValue::Object& schema, const JsonValue& value,
                                   const std::string& where) const
{
    if (value.asArray() == nullptr)
        return {};
    for (std::size_t i = 0; i < value.asArray()->size(); ++i)
    {
        std::string problem =
            check((*value.asArray())[i], schema, where + "[" + std::to_string(i) + "]");
        if (!problem.empty())
            return problem;
    }
    return {};
}

const JsonValue::Object& JsonSchema::at(std::string_view reference) const
{
    const JsonValue::Object* found = &_root;
    OCTOSTORE_ASSERT(reference.substr(0, 2) == "#/");
    for (reference.remove_prefix(2); !reference.empty();)
    {
        const std::size_t slash = std::min(reference.find('/'), reference.size());
        found = found->at(std::string(reference.substr(0, slash))).asObject();
        OCTOSTORE_ASSERT(found != nullptr);
        reference.remove_prefix(std::min(slash + 1, reference.size()));
    }
    return *found;
}

std::string JsonSchema::checkOneOf(const JsonValue::Array& schemas, const JsonValue& value,
                                   const std::string& where) const
{
    int matching = 0;
    std::string problems;
    for (const JsonValue& schema : schemas)
    {
        const std::string problem = check(value, *schema.asObject(), where);
        if (problem.empty())
            ++matching;
        else
            problems += "; " + problem;
    }
    if (matching == 1)
        return {};
    return where + " matches " + std::to_string(matching) + " of oneOf" + problems;
}

} // namespace octostore::test
