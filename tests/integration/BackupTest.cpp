// SPDX-License-Identifier: MIT
// Goal: a backup taken under load becomes a server that has every lease acknowledged before it,
// never gives out a term again, and grants nothing while leases from before may be live.
// Method: the real program and its commands.
#include "BackupFixture.h"

#include <octostore/base/Digest.h>
#include <octostore/base/Json.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace octostore::test
{
namespace
{

namespace fs = std::filesystem;

class BackupTest : public BackupFixture
{
};

TEST_F(BackupTest, ABackupUnderLoadHasEveryLeaseThatWasAcknowledgedBefore)
{
    start(withAdmin());
    std::atomic<bool> stop{false};
    std::atomic<int> acknowledged{0};
    std::vector<std::int64_t> terms(20'000, 0);
    std::thread load(
        [&]
        {
            ServerClient connection = client(alice);
            for (int i = 0; !stop && i < int(terms.size());)
            {
                const auto answer = connection.post("/locks/n" + std::to_string(i) + "/acquire",
                                                    R"({"ttl_seconds":3600})");
                if (!answer)
                    return;
                if (answer->status != 200)
                    continue; // a busy machine: it is asked for again
                terms[std::size_t(i)] = answer->number("fencing_token");
                acknowledged = ++i;
            }
        });
    while (acknowledged < 100)
        std::this_thread::yield();
    const int before = acknowledged;
    EXPECT_EQ(backup("b.db"), 0) << _errors;
    stop = true;
    load.join();
    const std::int64_t highest = terms[std::size_t(acknowledged) - 1];
    killServer();

    ASSERT_EQ(restore("b.db", "new.db"), 0) << _errors;
    startRestored("new.db");
    for (int i = 0; i < before; ++i)
        ASSERT_EQ(termOf("n" + std::to_string(i)), terms[std::size_t(i)]) << i;
    const ServerAnswer early = acquire("fresh");
    EXPECT_EQ(early.status, 503) << early.body;
    EXPECT_EQ(early.headers.at("retry-after"), "300");
    EXPECT_EQ(early.text("reason"), "restoring") << early.body;
    EXPECT_NE(early.text("details").find("was restored"), std::string::npos) << early.body;
    EXPECT_NE(_server->log().find("grants_at"), std::string::npos);
    const ServerAnswer ready = expectAnswer(client().get("/readyz?verbose"));
    EXPECT_EQ(ready.status, 200);
    EXPECT_NE(ready.body.find("no grants before"), std::string::npos) << ready.body;
    EXPECT_EQ(acquire("n0", bob).text("status"), "held");
    killServer();

    ASSERT_EQ(restore("b.db", "now.db", {"--grant-now"}), 0) << _errors;
    startRestored("now.db");
    const ServerAnswer granted = acquire("fresh");
    EXPECT_EQ(granted.text("status"), "acquired") << granted.body;
    EXPECT_GT(granted.number("fencing_token"), highest + (std::int64_t(1) << 39));
}

TEST_F(BackupTest, GrantsBeginAnHourAfterTheOldServerStopped)
{
    start(withAdmin());
    acquire("a");
    ASSERT_EQ(backup("b.db"), 0) << _errors;
    killServer();
    EXPECT_EQ(restore("b.db", "x.db", {"--old-server-stopped-at", "yesterday"}), 64);
    EXPECT_EQ(restore("b.db", "x.db", {"--old-server-stopped-at", "2999-01-01T00:00:00Z"}), 64);
    ASSERT_EQ(restore("b.db", "x.db", {"--old-server-stopped-at", "2020-01-01T00:00:00Z"}), 0)
        << _errors;
    startRestored("x.db");
    EXPECT_EQ(acquire("b").text("status"), "acquired");
    EXPECT_GT(termOf("a"), 0) << "it has its full time again";
}

TEST_F(BackupTest, AsJsonARestoreSaysWhatThereIsNowAndWhenGrantsBegin)
{
    start(withAdmin());
    const std::int64_t term = acquire("a").number("fencing_token");
    ASSERT_EQ(backup("b.db"), 0) << _errors;
    killServer();

    ASSERT_EQ(restore("b.db", "new.db", {"--json"}), 0) << _errors;
    const auto first = readJson(_output);
    ASSERT_TRUE(first) << _output;
    EXPECT_EQ(*first->at("backup").asString(), file("b.db"));
    EXPECT_EQ(*first->at("database").asString(), file("new.db"));
    EXPECT_TRUE(first->at("replaced").isNull());
    EXPECT_EQ(*first->at("missing_webhooks_key").asString(), file("new.db.webhooks.key"));
    EXPECT_GE(*first->at("backup_revision").asInteger(), term);
    const std::string begin = *first->at("grants_at").asString();
    startRestored("new.db");
    EXPECT_NE(_server->log().find(begin.substr(0, 16)), std::string::npos) // an hour from now
        << begin << " in " << _server->log();
    killServer();

    ASSERT_EQ(restore("b.db", "new.db", {"--json", "--force", "--grant-now"}), 0) << _errors;
    const auto second = readJson(_output);
    ASSERT_TRUE(second) << _output;
    EXPECT_EQ(*second->at("replaced").asString(), file("new.db.replaced"));
    EXPECT_TRUE(second->at("grants_at").isNull());
    EXPECT_NE(*second->at("incarnation").asString(), *first->at("incarnation").asString());
    startRestored("new.db");
    EXPECT_GT(acquire("fresh").number("fencing_token"), *second->at("terms_above").asInteger());
}

TEST_F(BackupTest, NothingThatIsThereIsOverwrittenAndAStoreInUseIsRefused)
{
    start(withAdmin());
    ASSERT_EQ(backup("b.db"), 0) << _errors;
    EXPECT_EQ(backup("b.db"), 70) << "the file is there";
    ASSERT_EQ(restore("b.db", "new.db"), 0) << _errors;
    EXPECT_EQ(restore("b.db", "new.db"), 70);
    EXPECT_EQ(restore("b.db", "new.db", {"--force"}), 0) << _errors;
    EXPECT_TRUE(fs::exists(file("new.db.replaced")));
    killServer();
    startRestored("new.db");
    EXPECT_EQ(restore("b.db", "new.db", {"--force"}), 70);
    EXPECT_NE(_errors.find("using the database"), std::string::npos) << _errors;
}

TEST_F(BackupTest, WhatAKilledBackupLeftIsReplacedButNotWhatOneIsWriting)
{
    start(withAdmin());
    const std::string part = file("b.db.part");
    std::ofstream(part) << std::string(1'000'000, 'x');
    const int writing = ::open(part.c_str(), O_RDONLY | O_CLOEXEC);
    ASSERT_EQ(::flock(writing, LOCK_EX), 0);
    EXPECT_EQ(backup("b.db"), 70);
    EXPECT_NE(_errors.find("another backup"), std::string::npos) << _errors;
    EXPECT_TRUE(fs::exists(part));
    ::close(writing);

    EXPECT_EQ(backup("b.db"), 0) << _errors;
    EXPECT_FALSE(fs::exists(part));
    EXPECT_EQ(restore("b.db", "new.db"), 0) << _errors;
}

TEST_F(BackupTest, ACopySaysHowLongItIs)
{
    start(withAdmin());
    ServerQuestion question;
    question.method = "POST";
    question.target = "/admin/backup";
    question.headers = {{"X-Admin-Key", "the-admin-key"}};
    const ServerAnswer copy = expectAnswer(client().ask(question));
    EXPECT_EQ(copy.status, 200);
    EXPECT_EQ(copy.headers.at("content-length"), std::to_string(copy.body.size()));
    EXPECT_EQ(copy.headers.at("x-octostore-bytes"), std::to_string(copy.body.size()));
    EXPECT_EQ(copy.headers.at("x-octostore-sha256"), toHex(sha256(copy.body)));
}

TEST_F(BackupTest, OnlyAdministratorsGetABackupAndNothingIsLeftBehind)
{
    start(withAdmin());
    EXPECT_NE(backup("b.db", std::string(alice)), 0);
    EXPECT_FALSE(fs::exists(file("b.db")));
    EXPECT_FALSE(fs::exists(file("b.db.part")));
    ASSERT_EQ(backup("b.db"), 0) << _errors;
    for (const auto& entry : fs::directory_iterator(_directory.path()))
        EXPECT_EQ(entry.path().filename().string().find("snapshot-"), std::string::npos);
    ServerQuestion question;
    question.target = "/events?type=backup.*&wait_seconds=100"; // it may be a moment behind
    question.headers = {{"X-Admin-Key", "the-admin-key"}};
    const ServerAnswer events = expectAnswer(client().ask(question));
    EXPECT_NE(events.body.find("backup.taken"), std::string::npos) << events.body;
}

} // namespace
} // namespace octostore::test
