// SPDX-License-Identifier: MIT
/// @file
/// What a JSON object has under a key; the test fails when it has not.
#pragma once

#include <octostore/base/Json.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace octostore::test
{

inline std::string textOf(const JsonValue::Object& object, std::string_view key)
{
    const JsonValue* value = JsonFields(object).find(key);
    const std::string* text = value == nullptr ? nullptr : value->asString();
    EXPECT_NE(text, nullptr) << key;
    return text == nullptr ? std::string() : *text;
}

inline std::int64_t numberOf(const JsonValue::Object& object, std::string_view key)
{
    const JsonValue* value = JsonFields(object).find(key);
    const std::int64_t* number = value == nullptr ? nullptr : value->asInteger();
    EXPECT_NE(number, nullptr) << key;
    return number == nullptr ? -1 : *number;
}

inline JsonValue::Object objectOf(const JsonValue::Object& object, std::string_view key)
{
    const JsonValue* value = JsonFields(object).find(key);
    const JsonValue::Object* inner = value == nullptr ? nullptr : value->asObject();
    EXPECT_NE(inner, nullptr) << key;
    return inner == nullptr ? JsonValue::Object() : *inner;
}

} // namespace octostore::test
