// SPDX-License-Identifier: MIT
#include "ConfigurationFixture.h"

namespace octostore::config
{
namespace
{

using testing::ElementsAre;

/// The key `k` of each type with the value of each row, given on the command line.
class ValueTypesTest : public ConfigurationFixture
{
protected:
    void use(Key row)
    {
        table = KeyTable();
        ASSERT_TRUE(table.add(std::move(row)));
    }
    std::unique_ptr<Configuration> good(const std::string& text)
    {
        sources.settings = {"k=" + text};
        return loadGood();
    }
    void expectRefused(const std::vector<std::string>& values, const std::string& message)
    {
        for (const std::string& text : values)
        {
            sources.settings = {"k=" + text};
            EXPECT_THAT(problems(), ElementsAre("--set: k: " + message)) << "value: " << text;
        }
    }
};

TEST_F(ValueTypesTest, Booleans)
{
    use(key("k", KeyType::Boolean, "false"));
    for (const char* text : {"1", "true", "on", "yes", "TRUE", "On", " yes "})
        EXPECT_TRUE(good(text)->boolean("k")) << text;
    for (const char* text : {"0", "false", "off", "no", "FALSE", "Off", "\tno"})
        EXPECT_FALSE(good(text)->boolean("k")) << text;
    expectRefused({"2", "y", "t", "truee", "enabled", "-1"}, "must be true or false");
    expectRefused({"", " "}, "is set but empty; it must be true or false");
}

TEST_F(ValueTypesTest, Integers)
{
    use(key("k", KeyType::Integer, "5", 1, 10));
    EXPECT_EQ(good("1")->integer("k"), 1U);
    EXPECT_EQ(good(" 10 ")->integer("k"), 10U);
    EXPECT_EQ(good("007")->integer("k"), 7U);
    expectRefused({"0", "11", "-1", "+5", "5.0", "5e0", "0x5", "five", "5 5", "5s", "5,",
                   "18446744073709551616"},
                  "must be an integer from 1 to 10");

    use(key("k", KeyType::Integer, "5", 1));
    EXPECT_EQ(good("18446744073709551615")->integer("k"), UINT64_MAX);
    expectRefused({"0"}, "must be an integer of at least 1");
    use(key("k", KeyType::Integer, "5"));
    expectRefused({"x"}, "must be an integer");
}

TEST_F(ValueTypesTest, Durations)
{
    use(key("k", KeyType::Duration, "1s", 500, 7'200'000));
    EXPECT_EQ(good("500ms")->duration("k").count(), 500);
    EXPECT_EQ(good("30s")->duration("k").count(), 30'000);
    EXPECT_EQ(good("5m")->duration("k").count(), 300'000);
    EXPECT_EQ(good("2h")->duration("k").count(), 7'200'000);
    expectRefused({"499ms", "3h", "30", "30 s", "1.5s", "-1s", "s", "1d", "1S", "1min",
                   "18446744073709551615h", "99999999999999999999s"},
                  "must be a duration (500ms, 30s, 5m, 2h) from 500ms to 2h");
}

TEST_F(ValueTypesTest, Sizes)
{
    use(key("k", KeyType::Size, "4KiB", 1024, std::uint64_t{1} << 30U));
    EXPECT_EQ(good("1024")->bytes("k"), 1024U);
    EXPECT_EQ(good("64KiB")->bytes("k"), 65'536U);
    EXPECT_EQ(good("16MiB")->bytes("k"), 16'777'216U);
    EXPECT_EQ(good("1GiB")->bytes("k"), 1'073'741'824U);
    expectRefused({"1023", "2GiB", "64KB", "64K", "64kib", "1.5MiB", "-1", "KiB", "64 KiB",
                   "18446744073709551615KiB"},
                  "must be a size (65536, 64KiB, 16MiB, 1GiB) from 1KiB to 1GiB");
}

TEST_F(ValueTypesTest, Lists)
{
    use(key("k", KeyType::List, "x, y"));
    EXPECT_THAT(good("a")->list("k"), ElementsAre("a"));
    EXPECT_THAT(good(" a ,b,  c d ")->list("k"), ElementsAre("a", "b", "c d"));
    EXPECT_THAT(good("")->list("k"), ElementsAre());
    sources.settings.clear();
    EXPECT_THAT(loadGood()->list("k"), ElementsAre("x", "y"));
    expectRefused({",", "a,", ",a", "a,,b", "a, ,b"}, "has an empty element");

    Key limited = key("k", KeyType::List);
    limited.choices = {"red", "green"};
    use(limited);
    EXPECT_THAT(good("green,red")->list("k"), ElementsAre("green", "red"));
    expectRefused({"red,gren"}, "must be a list of red, green, did you mean green?");
}

TEST_F(ValueTypesTest, TextsAndPaths)
{
    for (const KeyType type : {KeyType::Text, KeyType::Path})
    {
        use(key("k", type));
        EXPECT_EQ(good(" a b ")->text("k"), "a b");
        EXPECT_EQ(good("a=b")->text("k"), "a=b");
        EXPECT_EQ(good("${HOME}")->text("k"), "${HOME}");
        sources.settings.clear();
        EXPECT_EQ(loadGood()->text("k"), "");
        EXPECT_FALSE(loadGood()->isSet("k"));
    }
    expectRefused({"", "  "}, "is set but empty; it must be a path");
    Key limited = key("k", KeyType::Text, "auto");
    limited.choices = {"auto", "text", "json"};
    use(limited);
    EXPECT_EQ(good("json")->text("k"), "json");
    expectRefused({"jsn"}, "must be one of auto, text, json, did you mean json?");
    expectRefused({"JSON"}, "must be one of auto, text, json, did you mean json?");
    expectRefused({"xml-lines"}, "must be one of auto, text, json");
}

TEST_F(ValueTypesTest, SecretsKeepEveryCharacter)
{
    use(key("k", KeyType::Secret));
    EXPECT_EQ(good(" pa${a.b}ss\t")->text("k"), " pa${a.b}ss\t");
    expectRefused({"", " "}, "is set but empty; it must be a secret text");
}

TEST_F(ValueTypesTest, ValuesThatAreNoUtf8AreRefused)
{
    use(key("k", KeyType::Text));
    sources.settings = {"k=\xFF"};
    EXPECT_THAT(problems(), ElementsAre("--set: is not valid UTF-8"));
    sources.settings.clear();
    sources.environment = {{"OCTOSTORE_K", "\xFF"}};
    EXPECT_THAT(problems(), ElementsAre("OCTOSTORE_K: k: is not valid UTF-8"));
}

using ValueTypesDeathTest = ValueTypesTest;

TEST_F(ValueTypesDeathTest, AskingForAnotherTypeOrAnUnknownKeyIsAFault)
{
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    use(key("k", KeyType::Integer, "5"));
    const auto configuration = loadGood();
    EXPECT_DEATH(configuration->text("k"), "broken invariant");
    EXPECT_DEATH(configuration->duration("k"), "broken invariant");
    EXPECT_DEATH(configuration->integer("l"), "broken invariant");
    EXPECT_DEATH(configuration->isSet("l"), "broken invariant");
    EXPECT_DEATH(configuration->names("l"), "broken invariant");
}

} // namespace
} // namespace octostore::config
