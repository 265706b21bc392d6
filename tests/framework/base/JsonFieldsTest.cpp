// SPDX-License-Identifier: MIT
#include <octostore/base/Json.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace octostore
{
namespace
{

class JsonFieldsTest : public testing::Test
{
protected:
    template <class T>
    static void expectRefused(const Result<T>& result, std::string_view key)
    {
        ASSERT_FALSE(result) << key;
        EXPECT_EQ(result.error().code, ErrorCode::Unprocessable);
        EXPECT_THAT(result.error().message, testing::HasSubstr("`" + std::string(key) + "`"));
    }

    const JsonValue::Object object = *readJson(
        R"({"s":"x","n":60,"null":null,"d":60.0,"e":6e1,"b":true,"neg":-1,"big":4294967295,
                      "bigger":4294967296,"digits":"60","array":[]})");
    const JsonFields fields{object};
};

TEST_F(JsonFieldsTest, AbsentAndNullAreTheSame)
{
    for (const char* key : {"absent", "null"})
    {
        EXPECT_EQ(*fields.optionalString(key), std::nullopt);
        EXPECT_EQ(*fields.optionalBool(key), std::nullopt);
        EXPECT_EQ(*fields.optionalInteger(key), std::nullopt);
        EXPECT_EQ(fields.find(key), nullptr);
        expectRefused(fields.string(key), key);
    }
}

TEST_F(JsonFieldsTest, ValuesOfTheRightTypeAreRead)
{
    EXPECT_EQ(*fields.string("s"), "x");
    EXPECT_EQ(*fields.optionalString("s"), "x");
    EXPECT_EQ(*fields.optionalBool("b"), true);
    EXPECT_EQ(*fields.optionalInteger("n"), 60U);
    EXPECT_EQ(*fields.optionalInteger("big"), 4294967295U);
    EXPECT_NE(fields.find("array")->asArray(), nullptr);
}

TEST_F(JsonFieldsTest, IntegersHaveNoFractionNoExponentNoSignAndNoQuotes)
{
    for (const char* key : {"d", "e", "neg", "bigger", "digits", "b", "array", "s"})
        expectRefused(fields.optionalInteger(key), key);
}

TEST_F(JsonFieldsTest, TheLargestIntegerIsTheCallersChoice)
{
    EXPECT_EQ(*fields.optionalInteger("bigger", UINT64_MAX), 4294967296U);
    EXPECT_EQ(*fields.optionalInteger("n", 60), 60U);
    expectRefused(fields.optionalInteger("n", 59), "n");
}

TEST_F(JsonFieldsTest, OtherTypesAreRefusedByName)
{
    for (const char* key : {"n", "b", "d", "array"})
    {
        expectRefused(fields.string(key), key);
        expectRefused(fields.optionalString(key), key);
    }
    for (const char* key : {"n", "s", "digits"})
        expectRefused(fields.optionalBool(key), key);
}

} // namespace
} // namespace octostore
