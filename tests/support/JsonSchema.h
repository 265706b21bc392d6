// SPDX-License-Identifier: MIT
/// @file
/// Holds JSON against a schema: as much of JSON Schema as ours use.
#pragma once

#include <octostore/base/Json.h>

#include <string>
#include <string_view>

namespace octostore::test
{

/// Knows `$ref` to `#/$defs/`, type, const, enum, required, properties, additionalProperties:false,
/// oneOf, minimum, maximum, minLength and pattern. Any other keyword is a violation, so that
/// nothing in a schema goes unchecked. Thread-safety: immutable.
class JsonSchema
{
public:
    /// `schema` is JSON text; asserts that it is an object.
    explicit JsonSchema(std::string_view schema);

    /// The first violation, empty when there is none.
    std::string check(std::string_view json) const;

private:
    std::string check(const JsonValue& value, const JsonValue::Object& schema,
                      const std::string& where) const;
    std::string checkKeyword(const std::string& keyword, const JsonValue& argument,
                             const JsonValue& value, const JsonValue::Object& schema,
                             const std::string& where) const;
    std::string checkProperties(const JsonValue& value, const JsonValue::Object& schema,
                                const std::string& where) const;
    std::string checkOneOf(const JsonValue::Array& schemas, const JsonValue& value,
                           const std::string& where) const;

    JsonValue::Object _root;
};

} // namespace octostore::test
