// SPDX-License-Identifier: MIT
/// @file
/// Holds JSON against a schema: as much of JSON Schema as ours use.
#pragma once

#include <octostore/base/Json.h>

#include <map>
#include <regex>
#include <string>
#include <string_view>

namespace octostore::test
{

/// Knows `$ref` to a place in the same text, type, const, enum, required, properties,
/// additionalProperties (false or a schema), items, oneOf, minimum, maximum, minLength, maxLength
/// and pattern.
/// Any other keyword is a violation, so that nothing in a schema goes unchecked; format, default
/// and examples are notes. Thread-safety: thread-affine(one thread at a time, also for reading).
class JsonSchema
{
public:
    /// Of objects that say what members they have and not whether there may be others.
    enum class Others
    {
        Allowed,
        Violate, ///< a description that forgets a member is found by it
    };
    /// `schema` is JSON text; asserts that it is an object.
    explicit JsonSchema(std::string_view schema, Others others = Others::Allowed);

    /// The first violation, empty when there is none.
    std::string check(std::string_view json) const;
    /// Holds `value` against a schema that is a part of the text.
    std::string check(const JsonValue& value, const JsonValue::Object& schema,
                      const std::string& where = "$") const;
    /// What `#/a/b` names in the text; asserts that it is an object.
    const JsonValue::Object& at(std::string_view reference) const;
    const JsonValue::Object& root() const noexcept { return _root; }

private:
    std::string checkKeyword(const std::string& keyword, const JsonValue& argument,
                             const JsonValue& value, const JsonValue::Object& schema,
                             const std::string& where) const;
    std::string checkProperties(const JsonValue& value, const JsonValue::Object& schema,
                                const std::string& where) const;
    std::string checkExtent(const std::string& keyword, const JsonValue& argument,
                            const JsonValue& value, const std::string& where) const;
    bool matches(const std::string& text, const std::string& pattern) const;
    std::string checkItems(const JsonValue::Object& schema, const JsonValue& value,
                           const std::string& where) const;
    std::string checkOneOf(const JsonValue::Array& schemas, const JsonValue& value,
                           const std::string& where) const;

    JsonValue::Object _root;
    Others _others;
    mutable std::map<std::string, std::regex> _patterns; ///< making one takes long
};

} // namespace octostore::test
