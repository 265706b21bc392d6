// SPDX-License-Identifier: MIT
#include "RequestFields.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace octostore::coordination_api
{
namespace
{

class RequestFieldsTest : public testing::Test
{
protected:
    static JsonValue::Object object(const std::string& text)
    {
        auto read = readJson(text);
        EXPECT_TRUE(read) << text;
        return *read;
    }
};

TEST_F(RequestFieldsTest, TheFirstFieldOfTheWrongShapeIsTheOneReported)
{
    const JsonValue::Object body = object(R"({"a":"x","b":true,"c":7})");
    RequestFields fields(body);
    EXPECT_EQ(fields.string("a"), "x");
    EXPECT_FALSE(fields.fault());
    EXPECT_EQ(fields.integer("b"), std::nullopt);
    EXPECT_EQ(fields.string("c"), "");
    ASSERT_TRUE(fields.fault());
    EXPECT_EQ(fields.fault()->code, ErrorCode::Unprocessable);
    EXPECT_NE(fields.fault()->message.find("`b`"), std::string::npos);
}

TEST_F(RequestFieldsTest, NullIsTheSameAsAbsent)
{
    const JsonValue::Object body = object(R"({"s":null,"i":null,"f":null,"u":null,"a":null})");
    RequestFields fields(body);
    EXPECT_EQ(fields.optionalString("s"), std::nullopt);
    EXPECT_EQ(fields.integer("i"), std::nullopt);
    EXPECT_FALSE(fields.flag("f"));
    EXPECT_EQ(fields.optionalUuid("u"), std::nullopt);
    EXPECT_FALSE(fields.accessList("a"));
    EXPECT_FALSE(fields.fault());
    EXPECT_EQ(fields.string("s"), "");
    EXPECT_TRUE(fields.fault()) << "but what is required must be there";
}

TEST_F(RequestFieldsTest, UuidsMayBeWrittenInEveryUsualWay)
{
    for (const std::string& text : {std::string("2b1c4a5e-8f00-4c1d-9a2b-0123456789ab"),
                                    std::string("2B1C4A5E8F004C1D9A2B0123456789AB"),
                                    std::string("{2b1c4a5e-8f00-4c1d-9a2b-0123456789ab}"),
                                    std::string("urn:uuid:2b1c4a5e-8f00-4c1d-9a2b-0123456789ab")})
    {
        const JsonValue::Object body = object("{\"id\":\"" + text + "\"}");
        RequestFields fields(body);
        EXPECT_EQ(fields.uuid("id").toString(), "2b1c4a5e-8f00-4c1d-9a2b-0123456789ab");
        EXPECT_FALSE(fields.fault()) << text;
    }
}

TEST_F(RequestFieldsTest, AnAccessListIsAnObjectWithAListOfTexts)
{
    for (const std::string& text : {std::string(R"({"acl":{"acquire":[]}})"),
                                    std::string(R"({"acl":{"acquire":["user:a"],"x":1}})")})
    {
        const JsonValue::Object body = object(text);
        RequestFields fields(body);
        EXPECT_TRUE(fields.accessList("acl"));
        EXPECT_FALSE(fields.fault()) << text;
    }
    for (const std::string& text :
         {std::string(R"({"acl":{}})"), std::string(R"({"acl":[]})"), std::string(R"({"acl":"x"})"),
          std::string(R"({"acl":{"acquire":null}})"), std::string(R"({"acl":{"acquire":"x"}})"),
          std::string(R"({"acl":{"acquire":["x",1]}})")})
    {
        const JsonValue::Object body = object(text);
        RequestFields fields(body);
        fields.accessList("acl");
        EXPECT_TRUE(fields.fault()) << text;
    }
}

TEST_F(RequestFieldsTest, RangesIncludeTheirEnds)
{
    const auto inRange = [](std::uint64_t value)
    { return checkRange(ErrorCode::InvalidTtl, "ttl_seconds", value, 5, 300).ok(); };
    EXPECT_TRUE(checkRange(ErrorCode::InvalidTtl, "ttl_seconds", std::nullopt, 5, 300));
    EXPECT_TRUE(inRange(5));
    EXPECT_TRUE(inRange(300));
    EXPECT_FALSE(inRange(4));
    EXPECT_FALSE(inRange(301));
}

} // namespace
} // namespace octostore::coordination_api
