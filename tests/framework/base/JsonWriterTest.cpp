// SPDX-License-Identifier: MIT
#include <octostore/base/Json.h>
#include <octostore/base/Text.h>

#include <gtest/gtest.h>

#include <cmath>

#include <support/FakeRandom.h>

namespace octostore
{
namespace
{

class JsonWriterTest : public testing::Test
{
protected:
    std::string written(std::string_view text) { return json.value(text).take(); }

    JsonWriter json;
};

TEST_F(JsonWriterTest, MembersComeInTheOrderOfTheCalls)
{
    json.beginObject().field("z", "text").field("a", 1).null("n").key("list").beginArray();
    json.value(true).value(false).nullValue().beginObject().endObject().beginArray().endArray();
    json.endArray().field("raw", 2U).key("r").raw("[1, 2]").endObject();
    EXPECT_EQ(json.take(), R"({"z":"text","a":1,"n":null,"list":[true,false,null,{},[]],)"
                           R"("raw":2,"r":[1, 2]})");
    EXPECT_EQ(json.take(), "");
    EXPECT_EQ(json.beginObject().endObject().take(), "{}");
}

TEST_F(JsonWriterTest, FieldsTakeEveryKindOfText)
{
    const std::string owned = "b";
    json.beginObject().field("a", "a").field("b", owned).field("c", std::string_view("c"));
    json.field("d", std::optional<std::string>("d")).field("e", std::optional<std::string>());
    EXPECT_EQ(json.endObject().take(), R"({"a":"a","b":"b","c":"c","d":"d","e":null})");
}

TEST_F(JsonWriterTest, StringsAreEscaped)
{
    EXPECT_EQ(written("a\"b\\c/d"), R"("a\"b\\c/d")");
    EXPECT_EQ(written("\n\r\t\b\f"), R"("\n\r\t\u0008\u000c")");
    EXPECT_EQ(written(std::string_view("\0\x1f\x7f", 3)), "\"\\u0000\\u001f\x7f\"");
    EXPECT_EQ(written("\xC3\xA9\xF0\x9F\x98\x80"), "\"\xC3\xA9\xF0\x9F\x98\x80\"");
    EXPECT_EQ(json.beginObject().field("a\"", 1).endObject().take(), R"({"a\"":1})");
}

TEST_F(JsonWriterTest, BytesThatAreNoUtf8AreReplaced)
{
    EXPECT_EQ(written("a\xFF"
                      "b"),
              R"("a\ufffdb")");
    EXPECT_EQ(written("\xC3"), R"("\ufffd")");
    EXPECT_EQ(written("\xED\xA0\x80"), R"("\ufffd\ufffd\ufffd")");
}

TEST_F(JsonWriterTest, WhatWasReadIsWrittenInALine)
{
    const auto read = readJson(R"( {"b": [1, -2.5, true, null, "x\ny", {}], "a": {"c": []}} )");
    ASSERT_TRUE(read);
    EXPECT_EQ(toJson(JsonValue(*read)), R"({"a":{"c":[]},"b":[1,-2.5,true,null,"x\ny",{}]})");
}

TEST_F(JsonWriterTest, NumbersAreExact)
{
    EXPECT_EQ(json.value(std::int64_t{INT64_MIN}).take(), "-9223372036854775808");
    EXPECT_EQ(json.value(std::uint64_t{UINT64_MAX}).take(), "18446744073709551615");
    EXPECT_EQ(json.value(0.1).take(), "0.1");
    EXPECT_EQ(json.value(-1.5e300).take(), "-1.5e+300");
    EXPECT_EQ(json.value(std::nan("")).take(), "null");
    EXPECT_EQ(json.value(INFINITY).take(), "null");
}

TEST_F(JsonWriterTest, WhateverBytesComeInTheResultIsJson)
{
    test::FakeRandom random(20260803);
    for (int round = 0; round < 2000; ++round)
    {
        std::string text(random.number(12), '\0');
        random.fill({reinterpret_cast<std::uint8_t*>(text.data()), text.size()});
        const std::string written = json.beginObject().field("a", text).endObject().take();
        const auto object = readJson(written);
        ASSERT_TRUE(object) << "seed " << random.seed() << ": " << written;
        if (isUtf8(text))
        {
            ASSERT_EQ(*object->at("a").asString(), text);
        }
    }
}

} // namespace
} // namespace octostore
