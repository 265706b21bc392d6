// SPDX-License-Identifier: MIT
#include <octostore/base/Json.h>

#include <gtest/gtest.h>

namespace octostore
{
namespace
{

using namespace std::string_view_literals;

class JsonReaderTest : public testing::Test
{
protected:
    static void expectError(std::string_view text, ErrorCode code)
    {
        const auto result = readJson(text);
        ASSERT_FALSE(result) << testing::PrintToString(text);
        EXPECT_EQ(result.error().code, code)
            << testing::PrintToString(text) << ": " << result.error().message;
    }
    static JsonValue read(std::string_view value)
    {
        const auto object = readJson("{\"a\":" + std::string(value) + "}");
        EXPECT_TRUE(object) << value << ": " << object.error().message;
        return object ? object->at("a") : JsonValue();
    }
    static std::string nested(int depth)
    {
        const auto inner = static_cast<std::size_t>(depth - 1);
        return "{\"a\":" + std::string(inner, '[') + std::string(inner, ']') + "}";
    }
};

TEST_F(JsonReaderTest, WhatIsNoJsonIsMalformed)
{
    for (const std::string_view text : {""sv,
                                        "  "sv,
                                        "\t\n"sv,
                                        "{} x"sv,
                                        "{}{}"sv,
                                        "{},"sv,
                                        "{}]"sv,
                                        "{}\0"sv,
                                        "{}\xFF"sv,
                                        "{}//c"sv,
                                        "{/*c*/}"sv,
                                        "\xEF\xBB\xBF{}"sv,
                                        "{}\xEF\xBB\xBF"sv,
                                        "\v{}"sv,
                                        "\f{}"sv,
                                        "\xC2\xA0{}"sv,
                                        "{"sv,
                                        "}"sv,
                                        "]"sv,
                                        "{,}"sv,
                                        "{a:1}"sv,
                                        "{'a':1}"sv,
                                        "{1:2}"sv,
                                        "{\"a\"}"sv,
                                        "{\"a\" 1}"sv,
                                        "{\"a\":}"sv,
                                        "{\"a\":1,}"sv,
                                        "{\"a\":1"sv,
                                        "{\"a\":1]"sv,
                                        "{\"a\":1;}"sv,
                                        "{\"a\":1 2}"sv,
                                        "{\"a\":1\"b\":2}"sv,
                                        "{\"a\":\v1}"sv,
                                        "{\"a\":[1,]}"sv,
                                        "{\"a\":[,1]}"sv,
                                        "{\"a\":[1 2]}"sv,
                                        "{\"a\":[1"sv,
                                        "{\"a\":[]]}"sv})
        expectError(text, ErrorCode::Malformed);
}

TEST_F(JsonReaderTest, NumbersAndWordsThatJsonDoesNotHaveAreMalformed)
{
    for (const std::string_view value :
         {"NaN"sv, "Infinity"sv, "-Infinity"sv, "01"sv,       "-01"sv,       "00"sv,   "+1"sv,
          "1."sv,  ".5"sv,       "1e"sv,        "1e+"sv,      "-"sv,         "0x10"sv, "1_000"sv,
          "tru"sv, "True"sv,     "truex"sv,     "nullnull"sv, "undefined"sv, "1f"sv})
        expectError("{\"a\":" + std::string(value) + "}", ErrorCode::Malformed);
}

TEST_F(JsonReaderTest, BrokenStringsAreMalformed)
{
    for (const std::string_view value :
         {"\"x"sv, "\"\x01\""sv, "\"\n\""sv, "\"\t\""sv, "\"x\0y\""sv, "\"\\x\""sv, "\"\\u12G4\""sv,
          "\"\\u12\""sv, "\"\\ud800\""sv, "\"\\udc00\""sv, "\"\\ud83d\\u0041\""sv, "\"\\ud83dx\""sv,
          "\"\xFF\""sv, "\"\xC0\x80\""sv, "\"\xED\xA0\x80\""sv, "\"\xC3\""sv})
    {
        expectError("{\"a\":" + std::string(value) + "}", ErrorCode::Malformed);
        expectError("{" + std::string(value) + ":1}", ErrorCode::Malformed);
    }
}

TEST_F(JsonReaderTest, JsonThatIsNoObjectIsUnprocessable)
{
    for (const std::string_view text :
         {"5"sv, "-1.5"sv, "null"sv, "true"sv, "\"x\""sv, "[]"sv, "[{}]"sv, " [1,{\"a\":2}] "sv})
        expectError(text, ErrorCode::Unprocessable);
}

TEST_F(JsonReaderTest, AKeyThatComesTwiceIsUnprocessableAtAnyLevel)
{
    for (const std::string_view text :
         {"{\"a\":1,\"a\":1}"sv, "{\"a\":1,\"b\":2,\"a\":null}"sv, "{\"x\":{\"a\":1,\"a\":2}}"sv,
          "{\"x\":[[{\"a\":1,\"a\":2}]]}"sv, "{\"a\":1,\"\\u0061\":2}"sv})
        expectError(text, ErrorCode::Unprocessable);
    EXPECT_TRUE(readJson("{\"a\":1,\"A\":1,\"x\":{\"a\":2},\"y\":[{\"a\":3},{\"a\":4}]}"));
}

TEST_F(JsonReaderTest, BrokenSyntaxWeighsMoreThanAKeyThatComesTwice)
{
    expectError("{\"a\":1,\"a\":1", ErrorCode::Malformed);
}

TEST_F(JsonReaderTest, NumbersOutOfRangeAreUnprocessable)
{
    for (const std::string_view value :
         {"9223372036854775808"sv, "-9223372036854775809"sv, "18446744073709551615"sv,
          "18446744073709551616"sv, "-18446744073709551616"sv, "99999999999999999999999"sv,
          "[1,36893488147419103232]"sv, "1e400"sv, "-1e400"sv})
        expectError("{\"a\":" + std::string(value) + "}", ErrorCode::Unprocessable);
}

TEST_F(JsonReaderTest, DigitsInStringsAreNoNumbers)
{
    EXPECT_EQ(*read("\"18446744073709551616\"").asString(), "18446744073709551616");
    EXPECT_EQ(*read("\"\\\\\\\"-18446744073709551616\"").asString(), "\\\"-18446744073709551616");
    EXPECT_TRUE(readJson("{\"18446744073709551616\":1}"));
}

TEST_F(JsonReaderTest, IntegersKeepAll64Bits)
{
    EXPECT_EQ(*read("9223372036854775807").asInteger(), INT64_MAX);
    EXPECT_EQ(*read("-9223372036854775808").asInteger(), INT64_MIN);
    EXPECT_EQ(*read("-9007199254740993").asInteger(), -9007199254740993);
    EXPECT_EQ(*read("-9223372036854775807").asInteger(), -INT64_MAX);
    EXPECT_EQ(*read("4294967296").asInteger(), 4294967296);
    EXPECT_EQ(*read("2147483648").asInteger(), 2147483648);
    EXPECT_EQ(*read("0").asInteger(), 0);
    EXPECT_EQ(*read("-0").asInteger(), 0);
}

TEST_F(JsonReaderTest, EveryIntegerStandsWhereItWasWritten)
{
    const auto object = readJson(R"({"1":-1,"\"2":[2.5,-3,"4",5e0,6,{"-7":-7}],"z":[],"8":8})");
    ASSERT_TRUE(object) << object.error().message;
    EXPECT_EQ(*object->at("1").asInteger(), -1);
    const auto& array = *object->at("\"2").asArray();
    EXPECT_EQ(*array[0].asDouble(), 2.5);
    EXPECT_EQ(*array[1].asInteger(), -3);
    EXPECT_EQ(*array[2].asString(), "4");
    EXPECT_EQ(*array[3].asDouble(), 5.0);
    EXPECT_EQ(*array[4].asInteger(), 6);
    EXPECT_EQ(*array[5].asObject()->at("-7").asInteger(), -7);
    EXPECT_EQ(*object->at("8").asInteger(), 8);
}

TEST_F(JsonReaderTest, AKeyWithNulIsUnprocessable)
{
    expectError(R"({"a\u0000b":1})", ErrorCode::Unprocessable);
    expectError(R"({"x":[{"\\\u0000" : 1}]})", ErrorCode::Unprocessable);
    EXPECT_TRUE(readJson(R"({"a\\u0000b":"\u0000"})"));
}

TEST_F(JsonReaderTest, NumbersWithFractionOrExponentAreNoIntegers)
{
    for (const std::string_view value : {"60.0"sv, "6e1"sv, "6E1"sv, "6E+1"sv, "600e-1"sv})
    {
        EXPECT_EQ(read(value).asInteger(), nullptr) << value;
        EXPECT_EQ(*read(value).asDouble(), 60.0) << value;
    }
    EXPECT_EQ(*read("0.1").asDouble(), 0.1);
    EXPECT_EQ(*read("1e-400").asDouble(), 0.0);
    EXPECT_EQ(*read("123456789012345678901234567890.5").asDouble(),
              123456789012345678901234567890.5);
    EXPECT_EQ(read("60").asDouble(), nullptr);
}

TEST_F(JsonReaderTest, StringsAreDecoded)
{
    EXPECT_EQ(*read(R"("\"\\\/\b\f\n\r\t")").asString(), "\"\\/\b\f\n\r\t");
    EXPECT_EQ(*read(R"("\u00e9\u6F22\ud83d\ude00")").asString(),
              "\xC3\xA9\xE6\xBC\xA2\xF0\x9F\x98\x80");
    EXPECT_EQ(*read(R"("a\u0000b")").asString(), std::string("a\0b", 3));
    EXPECT_EQ(*read("\"\xC3\xA9\x7F\"").asString(), "\xC3\xA9\x7F");
    EXPECT_EQ(*read("\"\"").asString(), "");
}

TEST_F(JsonReaderTest, NestedValuesKeepTheirPlaces)
{
    const auto object = readJson(R"( {"a":[1,[true,null],{"b":"c"}],"d":{},"":false} )");
    ASSERT_TRUE(object);
    const auto& array = *object->at("a").asArray();
    ASSERT_EQ(array.size(), 3U);
    EXPECT_EQ(*array[0].asInteger(), 1);
    EXPECT_EQ(*array[1].asArray()->at(0).asBool(), true);
    EXPECT_TRUE(array[1].asArray()->at(1).isNull());
    EXPECT_EQ(*array[2].asObject()->at("b").asString(), "c");
    EXPECT_TRUE(object->at("d").asObject()->empty());
    EXPECT_EQ(*object->at("").asBool(), false);
    EXPECT_EQ(object->at("d").asArray(), nullptr);
    EXPECT_EQ(object->at("a").asObject(), nullptr);
}

TEST_F(JsonReaderTest, NestingEndsAt128Levels)
{
    EXPECT_TRUE(readJson(nested(128)));
    expectError(nested(129), ErrorCode::Malformed);
    expectError(nested(100'000), ErrorCode::Malformed);
}

} // namespace
} // namespace octostore
