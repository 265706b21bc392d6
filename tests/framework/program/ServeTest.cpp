// SPDX-License-Identifier: MIT
// Goal: the server starts, serves, reloads and stops as supervisors expect.
// Method: the real program on a port of its own choice, driven by signals; its log tells how far
// it is, so nothing waits for time to pass.
#include "RunningProgram.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

namespace octostore::program
{

class ServeTest : public testing::Test
{
protected:
    using Words = RunningProgram::Words;

    void SetUp() override
    {
        char name[] = "/tmp/octostore-serve-XXXXXX";
        ASSERT_NE(mkdtemp(name), nullptr);
        directory = name;
    }
    void TearDown() override
    {
        server.reset();
        std::filesystem::remove_all(directory);
    }

    void write(const std::string& name, const std::string& text) const
    {
        std::ofstream(directory / name) << text;
        std::filesystem::permissions(directory / name, std::filesystem::perms::owner_read |
                                                           std::filesystem::perms::owner_write);
    }

    /// On the memory backend unless `more` says otherwise.
    void start(const Words& more = {}, const Words& environment = {})
    {
        // What webhooks keep lies beside the database, also where there is none.
        Words words{"serve",
                    "--set",
                    "server.bind=127.0.0.1:0",
                    "--set",
                    "storage.backend=memory",
                    "--set",
                    "storage.database=" + (directory / "octostore.db").string(),
                    "--set",
                    "log.format=text"};
        words.insert(words.end(), more.begin(), more.end());
        server = std::make_unique<RunningProgram>(words, environment);
    }

    /// Waits until it serves; finds its port.
    void waitForStart()
    {
        const auto line = server->waitForLine("serving ");
        ASSERT_TRUE(line) << server->log();
        const std::size_t begin = line->find("address=127.0.0.1:");
        ASSERT_NE(begin, std::string::npos) << *line;
        port = static_cast<std::uint16_t>(std::stoi(line->substr(begin + 18)));
    }

    static bool contains(const std::string& text, const std::string& part)
    {
        return text.find(part) != std::string::npos;
    }

    std::filesystem::path directory;
    std::unique_ptr<RunningProgram> server;
    std::uint16_t port = 0;
};

TEST_F(ServeTest, ItSaysWhereItServesAndAnswersThere)
{
    start();
    waitForStart();
    EXPECT_PRED2(contains, server->log(), "backend=memory");
    EXPECT_PRED2(contains, get(port, "/health"), "\"status\":\"ok\"");
    EXPECT_PRED2(contains, get(port, "/readyz?verbose"), "[+]store ok\n");
    EXPECT_PRED2(contains, get(port, "/livez"), "ok\n");
    EXPECT_PRED2(contains, get(port, "/status"), "\"uptime_seconds\":");
}

TEST_F(ServeTest, TerminateAndInterruptAreCleanEnds)
{
    for (const int signal : {SIGTERM, SIGINT})
    {
        start();
        waitForStart();
        server->signal(signal);
        EXPECT_EQ(server->wait(), 0) << server->log();
        EXPECT_PRED2(contains, server->log(), "stopped");
    }
}

TEST_F(ServeTest, AServerOnSqliteKeepsItsFileAndStartsAgain)
{
    for (int round = 0; round < 2; ++round)
    {
        start({"--set", "storage.backend=sqlite"});
        waitForStart();
        EXPECT_PRED2(contains, get(port, "/readyz"), "ok\n");
        server->signal(SIGTERM);
        EXPECT_EQ(server->wait(), 0) << server->log();
    }
    EXPECT_TRUE(std::filesystem::exists(directory / "octostore.db"));
}

TEST_F(ServeTest, AReloadTakesNewTokens)
{
    write("tokens", "alice:one");
    start({}, {"STATIC_TOKENS_FILE=" + (directory / "tokens").string()});
    waitForStart();
    EXPECT_PRED2(contains, get(port, "/status"), "\"total_users\":1,");
    write("tokens", "alice:one,bob:two");
    server->signal(SIGHUP);
    ASSERT_TRUE(server->waitForLine("the configuration was read again")) << server->log();
    EXPECT_PRED2(contains, get(port, "/status"), "\"total_users\":2,");
}

TEST_F(ServeTest, AReloadWithAMistakeChangesNothingAndSaysWhy)
{
    write("tokens", "alice:one");
    start({}, {"STATIC_TOKENS_FILE=" + (directory / "tokens").string()});
    waitForStart();
    write("tokens", "alice:one,hunter2");
    server->signal(SIGHUP);
    const auto line = server->waitForLine("the configuration was not taken");
    ASSERT_TRUE(line) << server->log();
    EXPECT_PRED2(contains, *line, "tokens line 1: an entry without a colon");
    EXPECT_PRED2(contains, get(port, "/status"), "\"total_users\":1,");
    EXPECT_FALSE(contains(server->log(), "hunter2"));
}

TEST_F(ServeTest, BadTokensKeepItFromStarting)
{
    start({}, {"STATIC_TOKENS=hunter2"});
    EXPECT_EQ(server->wait(), 78);
    EXPECT_PRED2(contains, server->log(), "an entry without a colon");
    EXPECT_FALSE(contains(server->log(), "hunter2"));
}

TEST_F(ServeTest, AnAdminKeyThatIsATokenKeepsItFromStarting)
{
    start({}, {"STATIC_TOKENS=alice:hunter2", "ADMIN_KEY=hunter2"});
    EXPECT_EQ(server->wait(), 78);
    EXPECT_PRED2(contains, server->log(), "ADMIN_KEY");
    EXPECT_FALSE(contains(server->log(), "hunter2"));
}

TEST_F(ServeTest, ATypingErrorInAnyPluginsKeyKeepsItFromStarting)
{
    start({"--set", "http.trusted_proxies=10.0.0.0/99", "--set", "webhooks.retry=5s, banana",
           "--set", "webhooks.secret_key=abc"});
    EXPECT_EQ(server->wait(), 78);
    EXPECT_PRED2(contains, server->log(), "octostore: --set: http.trusted_proxies: ");
    EXPECT_PRED2(contains, server->log(), "octostore: --set: webhooks.retry: `banana`");
    EXPECT_PRED2(contains, server->log(), "octostore: --set: webhooks.secret_key: ");
    EXPECT_FALSE(contains(server->log(), "serving "));
}

TEST_F(ServeTest, ATypingErrorInAnyPluginsKeyIsNotTakenAtAReload)
{
    write("octostore.properties", "webhooks.retry = 5s\n");
    start({"--config", directory / "octostore.properties"});
    waitForStart();
    write("octostore.properties", "webhooks.retry = 5s, banana\n");
    server->signal(SIGHUP);
    const auto line = server->waitForLine("the configuration was not taken");
    ASSERT_TRUE(line) << server->log();
    EXPECT_PRED2(contains, *line, "octostore.properties:1: webhooks.retry: `banana`");
}

TEST_F(ServeTest, AnUnknownBackendKeepsItFromStarting)
{
    start({"--set", "storage.backend=floppy"});
    EXPECT_EQ(server->wait(), 78);
    EXPECT_PRED2(contains, server->log(), "backend-floppy");
}

TEST_F(ServeTest, AnOptionalPluginThatIsMissingIsReportedAndItServes)
{
    start({"--set", "plugins.enabled=coordination-api,health,auth-static,nothing-here"});
    waitForStart();
    EXPECT_PRED2(contains, server->log(), "plugin=nothing-here");
    EXPECT_PRED2(contains, get(port, "/livez"), "ok\n");
}

TEST_F(ServeTest, AnAddressInUseIsAFailureWithAReason)
{
    start();
    waitForStart();
    RunningProgram second({"serve", "--set", "storage.backend=memory", "--set",
                           "storage.database=" + (directory / "second.db").string(), "--set",
                           "server.bind=127.0.0.1:" + std::to_string(port)});
    EXPECT_EQ(second.wait(), 70) << second.log();
    EXPECT_PRED2(contains, second.log(), "the server does not start");
}

} // namespace octostore::program
