// SPDX-License-Identifier: MIT
#include "JsonSchema.h"

#include <octostore/base/Assert.h>

#include <regex>
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
    return (type == "object" && value.asObject() != nullptr) ||
           (type == "array" && value.asArray() != nullptr) ||
           (type == "string" && value.asString() != nullptr) ||
           (type == "integer" && value.asInteger() != nullptr) ||
           (type == "boolean" && value.asBool() != nullptr) || (type == "null" && value.isNull());
}

bool isNote(const std::string& keyword)
{
    static const std::set<std::string> notes{"$schema", "$id", "$defs", "title", "description"};
    return notes.count(keyword) != 0;
}

bool contains(const JsonValue::Array& values, const JsonValue& value)
{
    for (const JsonValue& one : values)
        if (equal(one, value))
            return true;
    return false;
}

} // namespace

JsonSchema::JsonSchema(std::string_view schema)
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
    {
        const std::string name = argument.asString()->substr(std::string("#/$defs/").size());
        return check(value, *_root.at("$defs").asObject()->at(name).asObject(), where);
    }
    if (keyword == "type")
        return isOfType(value, *argument.asString()) ? "" : violation;
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
        return {}; // with properties
    if (keyword == "oneOf")
        return checkOneOf(*argument.asArray(), value, where);
    if (keyword == "minimum")
        return *value.asInteger() >= *argument.asInteger() ? "" : violation;
    if (keyword == "maximum")
        return *value.asInteger() <= *argument.asInteger() ? "" : violation;
    if (keyword == "minLength")
        return static_cast<std::int64_t>(value.asString()->size()) >= *argument.asInteger()
                   ? ""
                   : violation;
    if (keyword == "pattern")
        return std::regex_search(*value.asString(), std::regex(*argument.asString())) ? ""
                                                                                      : violation;
    return "unknown keyword " + keyword;
}

std::string JsonSchema::checkProperties(const JsonValue& value, const JsonValue::Object& schema,
                                        const std::string& where) const
{
    const JsonValue::Object& properties = *schema.at("properties").asObject();
    const auto additional = schema.find("additionalProperties");
    const bool closed = additional != schema.end() && !*additional->second.asBool();
    if (value.asObject() == nullptr)
        return where + " is no object";
    for (const auto& [name, member] : *value.asObject())
    {
        const auto found = properties.find(name);
        if (found == properties.end())
        {
            if (closed)
                return where + " has the unknown member " + name;
            continue;
        }
        const JsonValue::Object& rules = *found->second.asObject();
        std::string problem = check(member, rules, where + "." + name);
        if (!problem.empty())
            return problem;
    }
    return {};
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
