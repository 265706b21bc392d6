// SPDX-License-Identifier: MIT
#include <octostore/config/KeyTable.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace octostore::config
{
namespace
{

using testing::HasSubstr;

class KeyTableTest : public testing::Test
{
protected:
    static Key key(std::string name, KeyType type = KeyType::Text, std::string defaultValue = {})
    {
        Key key;
        key.name = std::move(name);
        key.type = type;
        key.defaultValue = std::move(defaultValue);
        return key;
    }
    std::string faultOf(Key wrong)
    {
        const auto added = table.add(std::move(wrong));
        return added ? "" : added.error().message;
    }

    KeyTable table;
};

TEST_F(KeyTableTest, KeysAreFoundByTheirExactName)
{
    ASSERT_TRUE(table.add({key("a.b"), key("a.c")}));
    EXPECT_EQ(table.find("a.b")->name, "a.b");
    EXPECT_EQ(table.find("a.B"), nullptr);
    EXPECT_EQ(table.find("a"), nullptr);
    EXPECT_EQ(table.keys().size(), 2U);
}

TEST_F(KeyTableTest, AFamilyIsFoundByEveryNameInItsPlace)
{
    ASSERT_TRUE(table.add({key("a.x.token"), key("a.*.token"), key("a.*.role")}));
    EXPECT_EQ(table.find("a.alice.token")->name, "a.*.token");
    EXPECT_EQ(table.find("a.alice.role")->name, "a.*.role");
    EXPECT_EQ(table.find("a.al.ice.role")->name, "a.*.role");
    EXPECT_EQ(table.find("a.x.token")->name, "a.x.token");
    EXPECT_EQ(table.find("a..token"), nullptr);
    EXPECT_EQ(table.find("a.token"), nullptr);
    EXPECT_EQ(table.find("a.alice.tokens"), nullptr);
    EXPECT_EQ(memberName(*table.find("a.alice.token"), "a.alice.token"), "alice");
}

TEST_F(KeyTableTest, EverySecretHasAFileKeyUnlessThereIsARowOfThatName)
{
    ASSERT_TRUE(table.add({key("s", KeyType::Secret), key("t", KeyType::Secret),
                           key("t_file", KeyType::Path), key("u"), key("f.*.s", KeyType::Secret)}));
    EXPECT_EQ(table.secretBehind("s_file")->name, "s");
    EXPECT_EQ(table.secretBehind("t_file"), nullptr);
    EXPECT_EQ(table.secretBehind("u_file"), nullptr);
    EXPECT_EQ(table.secretBehind("s"), nullptr);
    EXPECT_EQ(table.secretBehind("_file"), nullptr);
    EXPECT_EQ(table.secretBehind("f.alice.s_file")->name, "f.*.s");
}

TEST_F(KeyTableTest, MalformedAndDoubleNamesAreRefused)
{
    for (const char* name : {"", "A.b", "a b", ".a", "a.", "a..b", "a.*", "*.a.b!", "a.*.*.b"})
        EXPECT_THAT(faultOf(key(name)), HasSubstr("malformed")) << name;
    EXPECT_EQ(faultOf(key("a.b_c")), "");
    EXPECT_THAT(faultOf(key("a.b_c")), HasSubstr("another"));
    EXPECT_THAT(faultOf(key("a.b.c")), HasSubstr("another"));
}

TEST_F(KeyTableTest, DefaultsMustBeValuesOfTheirType)
{
    EXPECT_THAT(faultOf(key("a", KeyType::Integer, "x")), HasSubstr("wrong default"));
    EXPECT_THAT(faultOf(key("a", KeyType::Duration, "5")), HasSubstr("wrong default"));
    EXPECT_THAT(faultOf(key("a", KeyType::Size)), HasSubstr("needs a default"));
    EXPECT_THAT(faultOf(key("a", KeyType::Boolean)), HasSubstr("needs a default"));
    EXPECT_EQ(faultOf(key("a", KeyType::Duration, "5s")), "");
}

TEST_F(KeyTableTest, TheNearestNameIsFoundIfOneIsNear)
{
    ASSERT_TRUE(table.add({key("http.threads"), key("http.body_max"), key("log.level")}));
    EXPECT_EQ(table.nearest("http.thread"), "http.threads");
    EXPECT_EQ(table.nearest("HTTP.Body_Max"), "http.body_max");
    EXPECT_EQ(table.nearest("http.body.max"), "http.body_max");
    EXPECT_EQ(table.nearest("loglevel"), "log.level");
    EXPECT_EQ(table.nearest("webhooks.retry"), std::nullopt);
}

TEST_F(KeyTableTest, VariablesAreDerivedFromKeys)
{
    EXPECT_EQ(variableOf("storage.database"), "OCTOSTORE_STORAGE_DATABASE");
    EXPECT_EQ(variableOf("http.body_max"), "OCTOSTORE_HTTP_BODY_MAX");
    EXPECT_EQ(variableOf("x.rate-limit.2"), "OCTOSTORE_X_RATELIMIT_2");
}

TEST_F(KeyTableTest, TheServersKeysHaveHelpThatEndsAsASentence)
{
    const KeyTable server = serverKeys();
    EXPECT_GT(server.keys().size(), 25U);
    for (const Key& key : server.keys())
    {
        EXPECT_FALSE(key.help.empty()) << key.name;
        EXPECT_EQ(key.help.back(), '.') << key.name;
    }
}

} // namespace
} // namespace octostore::config
