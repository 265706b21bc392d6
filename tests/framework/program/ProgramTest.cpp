// SPDX-License-Identifier: MIT
// Goal: what scripts rely on: exit codes, and where each line goes.
// Method: the real program, once for each command line.
#include "RunningProgram.h"
#include "support/ChildProcess.h"
#include "support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

namespace octostore::program
{

class ProgramTest : public testing::Test
{
protected:
    using Words = RunningProgram::Words;

    int run(const Words& arguments, const Words& environment = {})
    {
        RunningProgram program(arguments, environment);
        const int code = program.wait();
        output = program.output();
        errors = program.log();
        return code;
    }

    static bool contains(const std::string& text, const std::string& part)
    {
        return text.find(part) != std::string::npos;
    }

    static std::string buildDirectory()
    {
        const std::string program = test::programFile();
        return program.substr(0, program.rfind("/bin/"));
    }

    static std::string contentOf(const char* path)
    {
        std::ifstream file(path);
        std::ostringstream content;
        content << file.rdbuf();
        return content.str();
    }

    std::string output;
    std::string errors;
};

TEST_F(ProgramTest, HelpAndVersionGoToStandardOutput)
{
    EXPECT_EQ(run({"--version"}), 0);
    EXPECT_PRED2(contains, output, "octostore 0.");
    EXPECT_EQ(run({"--help"}), 0);
    EXPECT_PRED2(contains, output, "Usage: octostore [COMMAND] [OPTIONS]");
    for (const char* command : {"serve", "config", "plugin"})
    {
        EXPECT_EQ(run({command, "--help"}), 0);
        EXPECT_PRED2(contains, output, "--config FILE");
        EXPECT_EQ(errors, "");
    }
}

TEST_F(ProgramTest, AWrongCommandLineIsAUsageError)
{
    for (const Words& words : std::vector<Words>{{"serv"},
                                                 {"serve", "--conf", "x"},
                                                 {"serve", "now"},
                                                 {"--verbose"},
                                                 {"--config"},
                                                 {"--set", "nothing"},
                                                 {"config"},
                                                 {"config", "chec"},
                                                 {"plugin", "inspect"}})
    {
        EXPECT_EQ(run(words), 64) << words.front();
        EXPECT_EQ(output, "");
        EXPECT_PRED2(contains, errors, "octostore: ");
    }
}

TEST_F(ProgramTest, ABadConfigurationIsCodeSeventyEightAndNamesEveryMistake)
{
    for (const char* command : {"serve", "config"})
    {
        Words words{command, "--set", "server.bid=x", "--set", "http.threads=many"};
        if (words.front() == std::string("config"))
            words.push_back("check");
        EXPECT_EQ(run(words), 78) << command;
        EXPECT_PRED2(contains, errors, "server.bid");
        EXPECT_PRED2(contains, errors, "http.threads");
    }
}

TEST_F(ProgramTest, AGoodConfigurationIsSaidToBe)
{
    EXPECT_EQ(run({"config", "check"}), 0) << errors;
    EXPECT_EQ(output, "The configuration is good.\n");
}

TEST_F(ProgramTest, PluginsHaveASayInTheCheckToo)
{
    EXPECT_EQ(run({"config", "check"}, {"STATIC_TOKENS=hunter2"}), 78);
    EXPECT_PRED2(contains, errors, "STATIC_TOKENS: auth.static.tokens (STATIC_TOKENS) line 1");
    EXPECT_FALSE(contains(output + errors, "hunter2"));
}

TEST_F(ProgramTest, TheCheckTellsMistakesOfServerAndPluginsAndWhatIsMissingTogether)
{
    EXPECT_EQ(
        run({"config", "check", "--set", "http.threads=many", "--set", "server.bind=foo", "--set",
             "webhooks.secret_key=abc", "--set", "plugins.enabled=webhooks,nothing-here"}),
        78);
    EXPECT_PRED2(contains, errors, "--set: http.threads: must be an integer");
    EXPECT_PRED2(contains, errors, "--set: server.bind: `foo` is no address");
    EXPECT_PRED2(contains, errors, "--set: webhooks.secret_key: it must be 32 bytes in base64");
    EXPECT_PRED2(contains, errors, "--set: plugins.enabled: plugin nothing-here: ");
    EXPECT_EQ(output, "");
}

TEST_F(ProgramTest, PrintingNeverShowsASecret)
{
    EXPECT_EQ(run({"config", "print", "--origin"}, {"STATIC_TOKENS=alice:hunter2"}), 0);
    EXPECT_PRED2(contains, output, "# STATIC_TOKENS\nauth.static.tokens = ***\n");
    EXPECT_PRED2(contains, output, "# default\nserver.bind = 0.0.0.0:3000\n");
    EXPECT_FALSE(contains(output + errors, "hunter2"));
}

/// The keys of plugins are in it too, so it takes the program to make it.
TEST_F(ProgramTest, TheCommittedSampleIsTheGeneratedOne)
{
    ASSERT_EQ(run({"config", "sample"}), 0);
    EXPECT_EQ(contentOf(OCTOSTORE_SAMPLE_FILE), output)
        << "the keys have changed; octostore config sample > " << OCTOSTORE_SAMPLE_FILE;
}

TEST_F(ProgramTest, TheCommittedPageOfKeysIsTheGeneratedOne)
{
    ASSERT_EQ(run({"config", "sample", "--markdown"}), 0);
    EXPECT_EQ(contentOf(OCTOSTORE_SAMPLE_PAGE), output)
        << "the keys have changed; octostore config sample --markdown > " << OCTOSTORE_SAMPLE_PAGE;
}

TEST_F(ProgramTest, TheSampleHasEveryKey)
{
    EXPECT_EQ(run({"config", "sample"}), 0);
    EXPECT_PRED2(contains, output, "#storage.database");
    EXPECT_FALSE(contains(output, "9223372036854775807")) << "a bound that nobody set";
}

TEST_F(ProgramTest, PluginsAreListedWithTheirUse)
{
    EXPECT_EQ(run({"plugin", "list"}), 0);
    EXPECT_EQ(output.rfind("ID ", 0), 0U) << output;
    EXPECT_PRED2(contains, output, "\nbackend-sqlite ");
    EXPECT_EQ(run({"plugin", "list", "--json"}), 0);
    const auto line = [](const char* id, const char* use, const char* version)
    {
        return std::string(R"({"id":")") + id + R"(","use":")" + use +
               R"(","verdict":"good","version":")" + version + "\"}\n";
    };
    EXPECT_PRED2(contains, output, line("auth-static", "enabled", "0.1.0"));
    EXPECT_PRED2(contains, output, line("backend-sqlite", "in use", "1.0.0"));
    EXPECT_PRED2(contains, output, line("backend-memory", "-", "1.0.0"));
}

TEST_F(ProgramTest, AListFailsWhenAPluginThatIsUsedWouldBeRefused)
{
    namespace fs = std::filesystem;
    const fs::path built = fs::path(buildDirectory()) / "lib/octostore";
    const test::TemporaryDirectory directory;
    for (const char* name : {"backend-sqlite.so", "http-beast.so", "health.so"})
        fs::create_symlink(built / name, directory.path() / name);
    const auto list = [&](const std::string& enabled)
    {
        return run({"plugin", "list", "--set", "plugins.directory=" + directory.path().string(),
                    "--set", "plugins.enabled=" + enabled});
    };
    EXPECT_EQ(list("health"), 0) << output;
    fs::rename(directory.path() / "health.so", directory.path() / "other.so");
    EXPECT_EQ(list(""), 0) << "nobody asked for it";
    EXPECT_PRED2(contains, output, "other.so is the plugin \"health\", not \"other\"");
    EXPECT_EQ(list("other"), 70);
    EXPECT_EQ(list("health"), 70);
    EXPECT_PRED2(contains, output, "health.so: No such file");
    EXPECT_EQ(list("../other"), 70);
    EXPECT_PRED2(contains, output, "is no plugin name");
}

TEST_F(ProgramTest, InspectTellsTheVerdict)
{
    const std::string build = buildDirectory();
    EXPECT_EQ(run({"plugin", "inspect", build + "/lib/octostore/health.so"}), 0);
    EXPECT_PRED2(contains, output, "id        health\n");
    EXPECT_PRED2(contains, output, "verdict   good\n");
    EXPECT_EQ(run({"plugin", "inspect", "--json", build + "/lib/octostore/health.so"}), 0);
    EXPECT_PRED2(contains, output, R"("id":"health")");
    EXPECT_EQ(run({"plugin", "inspect", "/nowhere.so"}), 70);
    EXPECT_PRED2(contains, output, "verdict   refused: /nowhere.so: No such file");
}

} // namespace octostore::program
