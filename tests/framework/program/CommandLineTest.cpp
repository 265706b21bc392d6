// SPDX-License-Identifier: MIT
#include "CommandLine.h"

#include <gtest/gtest.h>

namespace octostore::program
{

class CommandLineTest : public testing::Test
{
protected:
    static int nothing(const Words& /*arguments*/) { return 0; }

    std::string commandOf(const Words& words) const
    {
        const auto found = findCommand(commands, words);
        return found ? std::string(found->command->name) : found.error().message;
    }

    const std::vector<Command> commands = {{"serve", "the server", &nothing},
                                           {"config", "the configuration", &nothing}};
};

TEST_F(CommandLineTest, WithoutACommandItIsTheServer)
{
    EXPECT_EQ(commandOf({}), "serve");
    EXPECT_EQ(commandOf({"--set", "a=b"}), "serve");
    EXPECT_EQ(findCommand(commands, {"--set", "a=b"})->arguments, (Words{"--set", "a=b"}));
}

TEST_F(CommandLineTest, ACommandGetsWhatFollowsItsName)
{
    EXPECT_EQ(commandOf({"config", "check"}), "config");
    EXPECT_EQ(findCommand(commands, {"config", "check"})->arguments, (Words{"check"}));
}

TEST_F(CommandLineTest, AnAbbreviatedCommandIsUnknown)
{
    EXPECT_EQ(commandOf({"conf"}), "there is no command \"conf\"");
    EXPECT_EQ(commandOf({"Serve"}), "there is no command \"Serve\"");
    EXPECT_EQ(commandOf({""}), "there is no command \"\"");
}

TEST_F(CommandLineTest, HelpAndVersionCountOnlyAsTheFirstWord)
{
    EXPECT_TRUE(asksForHelp({"--help"}));
    EXPECT_TRUE(asksForHelp({"-h"}));
    EXPECT_FALSE(asksForHelp({"config", "--help"}));
    EXPECT_TRUE(asksForVersion({"--version"}));
    EXPECT_FALSE(asksForVersion({"serve", "--version"}));
    EXPECT_FALSE(asksForVersion({}));
}

TEST_F(CommandLineTest, TheHelpNamesEveryCommand)
{
    const std::string help = programHelp(commands);
    EXPECT_NE(help.find("  serve       the server\n"), std::string::npos) << help;
    EXPECT_NE(help.find("  config      the configuration\n"), std::string::npos) << help;
}

} // namespace octostore::program
