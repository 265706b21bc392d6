// SPDX-License-Identifier: MIT
// Goal: what the README tells people to type works and prints what it says.
// Method: its marked blocks run in one shell, in order, against a fresh server with the accounts of
// its start command.
#include "ReadmeText.h"
#include "support/ServerProcess.h"
#include "support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>

#include <sys/wait.h>

namespace octostore::test
{
namespace
{

constexpr const char* blockEnd = "@@ end of block";

class ReadmeTest : public testing::Test
{
protected:
    static std::string readme()
    {
        std::ifstream file(OCTOSTORE_README);
        std::ostringstream text;
        text << file.rdbuf();
        return text.str();
    }

    /// Runs the script; returns what it prints and checks that it succeeds.
    std::string run(const std::string& script)
    {
        const std::string command = "bash " + _directory.write("readme.sh", script) + " 2>&1";
        FILE* pipe = popen(command.c_str(), "r");
        std::string output;
        std::array<char, 4096> chunk;
        while (const std::size_t size = fread(chunk.data(), 1, chunk.size(), pipe))
            output.append(chunk.data(), size);
        const int status = pclose(pipe);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << output;
        return output;
    }

    TemporaryDirectory _directory;
};

TEST_F(ReadmeTest, ItsCommandsDoWhatItSays)
{
    const std::string text = readme();
    const std::vector<ReadmeBlock> blocks = testedBlocks(text);
    ASSERT_GE(blocks.size(), 4U);
    ServerProcess server(_directory.path(), {{"auth.static.tokens", ""}},
                         {{"STATIC_TOKENS", startVariable(text, "STATIC_TOKENS")}});
    const auto port = server.port();
    ASSERT_TRUE(port) << port.error().message;

    std::string script = "set -euo pipefail\nURL=http://127.0.0.1:" + std::to_string(*port) + "\n";
    for (const ReadmeBlock& block : blocks)
        script += block.commands + "echo; echo '" + blockEnd + "'\n";
    std::string output = run(script);

    for (const ReadmeBlock& block : blocks)
    {
        const std::size_t end = output.find(blockEnd);
        ASSERT_NE(end, output.npos) << "the shell stopped at:\n" << block.commands << output;
        std::string printed = output.substr(0, end);
        output.erase(0, end + std::string_view(blockEnd).size());
        for (const std::string& expected : block.expected)
        {
            const std::size_t at = printed.find(expected);
            ASSERT_NE(at, printed.npos) << "`" << expected << "` is not in:\n" << printed;
            printed.erase(0, at + expected.size());
        }
    }
}

TEST_F(ReadmeTest, BlocksAreTestedOnlyWhenMarked)
{
    const std::vector<ReadmeBlock> blocks =
        testedBlocks("<!-- test -->\n```sh\na\n#> x\nb\n```\n```sh\nc\n```\n"
                     "<!-- test -->\n\n```sh\nd\n```\n<!-- test -->\n```json\ne\n```\n");
    ASSERT_EQ(blocks.size(), 1U);
    EXPECT_EQ(blocks[0].commands, "a\nb\n");
    EXPECT_EQ(blocks[0].expected, std::vector<std::string>{"x"});
    EXPECT_EQ(startVariable("A=1\nA=b:c,d:e ./scripts/run.sh\n", "A"), "b:c,d:e");
}

} // namespace
} // namespace octostore::test
