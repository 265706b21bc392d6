// SPDX-License-Identifier: MIT
#include "Options.h"

#include <gtest/gtest.h>

namespace octostore::program
{

class OptionsTest : public testing::Test
{
protected:
    using Words = std::vector<std::string>;

    Result<Options> parse(const Words& words) const { return Options::parse(known, words); }
    std::string refusal(const Words& words) const
    {
        auto options = parse(words);
        return options ? "" : options.error().message;
    }

    const std::vector<Option> known = {{"server", 's', "URL", "where", false},
                                       {"json", 0, "", "for programs", false},
                                       {"set", 0, "KEY=VALUE", "a key", true}};
};

TEST_F(OptionsTest, AValueMayFollowOrBeAttached)
{
    EXPECT_EQ(parse({"--server", "a"})->value("server"), "a");
    EXPECT_EQ(parse({"--server=b=c"})->value("server"), "b=c");
    EXPECT_EQ(parse({"-s", "d"})->value("server"), "d");
    EXPECT_EQ(parse({"--server="})->value("server"), "");
    EXPECT_TRUE(parse({"--server="})->has("server"));
}

TEST_F(OptionsTest, ArgumentsMayStandAmongOptions)
{
    const auto options = parse({"hold", "--json", "room"});
    ASSERT_TRUE(options);
    EXPECT_TRUE(options->has("json"));
    EXPECT_EQ(options->arguments(), (Words{"hold", "room"}));
}

TEST_F(OptionsTest, BehindTwoDashesEverythingIsAnArgument)
{
    EXPECT_EQ(parse({"a", "--", "--json", "--"})->arguments(), (Words{"a", "--json", "--"}));
}

TEST_F(OptionsTest, ALoneDashIsAnArgument)
{
    EXPECT_EQ(parse({"-"})->arguments(), (Words{"-"}));
}

TEST_F(OptionsTest, AnAbbreviationIsUnknown)
{
    EXPECT_EQ(refusal({"--ser", "a"}), "unknown option --ser");
    EXPECT_EQ(refusal({"--js"}), "unknown option --js");
    EXPECT_EQ(refusal({"-sa"}), "unknown option -sa");
}

TEST_F(OptionsTest, TheValueOfAnUnknownOptionIsNotShown)
{
    EXPECT_EQ(refusal({"--token=hunter2"}), "unknown option --token");
}

TEST_F(OptionsTest, MissingAndNeedlessValuesAreRefused)
{
    EXPECT_EQ(refusal({"--server"}), "--server needs a value");
    EXPECT_EQ(refusal({"--json=yes"}), "--json takes no value");
}

TEST_F(OptionsTest, OnlyARepeatableOptionMayComeTwice)
{
    EXPECT_EQ(refusal({"--json", "--json"}), "--json is given twice");
    EXPECT_EQ(parse({"--set", "a=1", "--set=b=2"})->values("set"), (Words{"a=1", "b=2"}));
}

TEST_F(OptionsTest, TheHelpShowsEveryOption)
{
    EXPECT_EQ(Options::describe(known), "  -s, --server URL        where\n"
                                        "      --json              for programs\n"
                                        "      --set KEY=VALUE     a key\n");
    EXPECT_EQ(
        Options::describe({{"acquire-timeout", 0, "DURATION", "patience"}, {"a", 0, "", "b"}}),
        "      --acquire-timeout DURATION  patience\n"
        "      --a                         b\n");
}

} // namespace octostore::program
