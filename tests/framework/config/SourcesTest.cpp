// SPDX-License-Identifier: MIT
#include <octostore/config/Sources.h>

#include <gtest/gtest.h>

namespace octostore::config
{
namespace
{

class SourcesTest : public testing::Test
{
protected:
    using Arguments = std::vector<std::string>;

    Sources sources;
};

TEST_F(SourcesTest, OptionsAreTakenAndTheRestStays)
{
    Arguments arguments{"serve", "--set", "a=1", "-c", "x", "--other", "--set=b=2=3", "y"};
    ASSERT_TRUE(takeOptions(arguments, sources));
    EXPECT_EQ(arguments, (Arguments{"serve", "--other", "y"}));
    EXPECT_EQ(sources.settings, (Arguments{"a=1", "b=2=3"}));
    EXPECT_EQ(sources.file, "x");

    sources = {};
    arguments = {"--config=a=b"};
    ASSERT_TRUE(takeOptions(arguments, sources));
    EXPECT_EQ(sources.file, "a=b");
    EXPECT_TRUE(arguments.empty());
}

TEST_F(SourcesTest, NothingIsTakenBehindTwoDashes)
{
    Arguments arguments{"run", "--", "-c", "x", "--set", "a=1"};
    const Arguments before = arguments;
    ASSERT_TRUE(takeOptions(arguments, sources));
    EXPECT_EQ(arguments, before);
    EXPECT_EQ(sources.file, std::nullopt);
}

TEST_F(SourcesTest, ThereAreNoAbbreviations)
{
    Arguments arguments{"--conf", "x", "--sets", "-cx", "--configure=y"};
    const Arguments before = arguments;
    ASSERT_TRUE(takeOptions(arguments, sources));
    EXPECT_EQ(arguments, before);
}

TEST_F(SourcesTest, WrongUseIsAnError)
{
    for (Arguments arguments :
         {Arguments{"--set"}, Arguments{"--config"}, Arguments{"-c"}, Arguments{"--set", "a"},
          Arguments{"--set=a"}, Arguments{"--config="}, Arguments{"-c", "a", "--config", "b"}})
    {
        Sources fresh;
        const auto taken = takeOptions(arguments, fresh);
        ASSERT_FALSE(taken) << testing::PrintToString(arguments);
        EXPECT_EQ(taken.error().code, ErrorCode::InvalidInput);
    }
}

TEST_F(SourcesTest, TheEnvironmentIsReadAsNamesAndValues)
{
    const char* variables[] = {"A=1", "B=x=y", "C=", "broken", nullptr};
    const std::map<std::string, std::string> expected{{"A", "1"}, {"B", "x=y"}, {"C", ""}};
    EXPECT_EQ(readEnvironment(variables), expected);
}

} // namespace
} // namespace octostore::config
