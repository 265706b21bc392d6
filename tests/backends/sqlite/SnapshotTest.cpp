// SPDX-License-Identifier: MIT
// Goal: a snapshot under load has everything that was committed before it, and becomes a store
// that never gives a revision out again; nothing that is there is ever overwritten.
#include "Restore.h"
#include "SqliteFixture.h"

#include <octostore/backend/Codec.h>

#include <atomic>
#include <cerrno>
#include <fstream>
#include <thread>

namespace octostore::test
{
namespace
{

namespace fs = std::filesystem;

class SnapshotTest : public SqliteFixture
{
protected:
    Result<void> take(const std::string& file)
    {
        return server->snapshot(folder.file(file), [] { return false; });
    }
    backend::RestoreOrder order(const std::string& from)
    {
        backend::RestoreOrder order;
        order.from = folder.file(from);
        order.skip = 1000;
        order.puts = {{metaKey("incarnation"), metaValue("fresh")}};
        order.erasures = {metaKey("clock")};
        return order;
    }
    Result<backend::RestoreReport> restore(const std::string& from, const std::string& to,
                                           bool replace = false)
    {
        backend::RestoreOrder wanted = order(from);
        wanted.replace = replace;
        return sqlite::restoreDatabase(options(to), wanted);
    }
    /// Stops as a killed server does: what was committed is in the log only.
    void leaveLog()
    {
        const std::string database = folder.file("octostore.db");
        for (const char* suffix : {"", "-wal"})
            fs::copy_file(database + suffix, folder.file("kept") + suffix,
                          fs::copy_options::overwrite_existing);
        stop();
        for (const char* suffix : {"", "-wal"})
            fs::rename(folder.file("kept") + suffix, database + suffix);
    }
    std::size_t filesNamed(const std::string& part) const
    {
        std::size_t count = 0;
        for (const auto& entry : fs::directory_iterator(folder.path()))
            if (entry.path().filename().string().find(part) != std::string::npos)
                ++count;
        return count;
    }
    bool has(const std::string& key) const { return loaded.count(metaKey(key)) != 0; }
};

TEST_F(SnapshotTest, WhatWasCommittedBeforeIsInItWhileOthersCommit)
{
    start();
    std::atomic<bool> stop{false};
    std::atomic<int> committed{0};
    std::thread writer(
        [&]
        {
            for (int i = 0; !stop && i < 100'000; ++i)
            {
                mustCommit(Draft().put(metaKey("k" + std::to_string(i)), metaValue("v")));
                committed = i + 1;
            }
        });
    while (committed < 50)
        std::this_thread::yield();
    const int before = committed;
    const Result<void> taken = take("copy.db");
    const int meanwhile = committed - before;
    stop = true;
    writer.join();
    ASSERT_TRUE(taken) << taken.error().message;
    RecordProperty("commits_meanwhile", meanwhile);
    EXPECT_FALSE(fs::exists(folder.file("copy.db-wal"))) << "it is one file";

    const auto report = restore("copy.db", "new.db");
    ASSERT_TRUE(report) << report.error().message;
    start(options("new.db"));
    for (int i = 0; i < before; ++i)
        EXPECT_TRUE(has("k" + std::to_string(i))) << i;
}

TEST_F(SnapshotTest, ARestoredStoreGoesOnAboveTheRevisionsItSkips)
{
    start();
    mustCommit(Draft().put(metaKey("clock"), metaValue("old")));
    mustCommit(Draft().put(metaKey("incarnation"), metaValue("old")));
    const Revision last = mustCommit(Draft().put(leaseKey("a"), sampleLease(1)));
    ASSERT_TRUE(take("copy.db"));
    const auto report = restore("copy.db", "new.db");
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->snapshot, last);
    EXPECT_EQ(report->restored, Revision(last.value() + 1000));

    start(options("new.db"));
    EXPECT_FALSE(has("clock"));
    EXPECT_EQ(loaded.at(metaKey("incarnation")).value, metaValue("fresh"));
    EXPECT_EQ(loaded.at(metaKey("incarnation")).version, report->restored);
    EXPECT_EQ(loaded.at(leaseKey("a")).version, last);
    EXPECT_GT(mustCommit(Draft().put(metaKey("x"), metaValue("1"))), report->restored);
}

TEST_F(SnapshotTest, ACancelledSnapshotLeavesNothing)
{
    start();
    const auto taken = server->snapshot(folder.file("copy.db"), [] { return true; });
    ASSERT_FALSE(taken);
    EXPECT_EQ(taken.error().code, ErrorCode::Draining);
    EXPECT_EQ(filesNamed("copy.db"), 0U);
}

TEST_F(SnapshotTest, ASnapshotOverwritesNothing)
{
    start();
    std::ofstream(folder.file("copy.db")) << "mine";
    EXPECT_EQ(take("copy.db").error().code, ErrorCode::Unavailable);
}

TEST_F(SnapshotTest, AStoreThatIsThereIsNeverOverwritten)
{
    start();
    mustCommit(Draft().put(metaKey("old"), metaValue("1")));
    ASSERT_TRUE(take("copy.db"));
    EXPECT_EQ(restore("copy.db", "octostore.db", true).error().code, ErrorCode::Unavailable)
        << "a server is using it";
    mustCommit(Draft().put(metaKey("later"), metaValue("1")));
    stop();
    EXPECT_EQ(restore("copy.db", "octostore.db").error().code, ErrorCode::Conflict);
    const auto report = restore("copy.db", "octostore.db", true);
    ASSERT_TRUE(report) << report.error().message;
    start();
    EXPECT_TRUE(has("old"));
    EXPECT_FALSE(has("later"));
    start(options(fs::path(report->aside).filename()));
    EXPECT_TRUE(has("later")) << "what was there was put aside whole";
}

TEST_F(SnapshotTest, AStoreThatCannotBeReplacedIsLeftAsItWas)
{
    start();
    mustCommit(Draft().put(metaKey("old"), metaValue("1")));
    ASSERT_TRUE(take("copy.db"));
    for (const char* step : {"put-aside", "put-aside-log", "name"})
    {
        const std::string key = std::string("before ") + step;
        mustCommit(Draft().put(metaKey(key), metaValue("1")));
        leaveLog();
        failures.fail(step, EPERM);
        const auto report = restore("copy.db", "octostore.db", true);
        ASSERT_FALSE(report) << step;
        EXPECT_EQ(report.error().code, ErrorCode::Unavailable);
        EXPECT_NE(report.error().message.find("not permitted"), std::string::npos);
        EXPECT_EQ(filesNamed(".replaced"), 0U) << report.error().message;
        EXPECT_EQ(filesNamed(".restoring"), 0U);
        start();
        EXPECT_TRUE(has(key)) << step << ": the log belongs to it still";
    }
}

TEST_F(SnapshotTest, AStoreThatCannotBePutBackIsNamed)
{
    start();
    mustCommit(Draft().put(metaKey("old"), metaValue("1")));
    ASSERT_TRUE(take("copy.db"));
    mustCommit(Draft().put(metaKey("later"), metaValue("1")));
    stop();
    failures.fail("name", EPERM);
    failures.fail("put-back", EPERM, 2);
    const auto report = restore("copy.db", "octostore.db", true);
    ASSERT_FALSE(report);
    EXPECT_NE(report.error().message.find("is now " + folder.file("octostore.db.replaced")),
              std::string::npos)
        << report.error().message;
    start(options("octostore.db.replaced"));
    EXPECT_TRUE(has("later"));
}

TEST_F(SnapshotTest, WhatIsNoWholeSnapshotIsRefusedAndNothingIsLeft)
{
    start();
    for (int i = 0; i < 200; ++i)
        mustCommit(Draft().put(metaKey("k" + std::to_string(i)), metaValue(std::string(500, 'v'))));
    ASSERT_TRUE(take("copy.db"));
    EXPECT_EQ(restore("octostore.db", "new.db").error().code, ErrorCode::Configuration)
        << "a database in use";
    std::ofstream(folder.file("text.db")) << std::string(10'000, 'x');
    EXPECT_EQ(restore("text.db", "new.db").error().code, ErrorCode::Corrupt);
    EXPECT_FALSE(restore("missing.db", "new.db"));
    fs::resize_file(folder.file("copy.db"), fs::file_size(folder.file("copy.db")) / 2);
    EXPECT_EQ(restore("copy.db", "new.db").error().code, ErrorCode::Corrupt);
    runSql(folder.file("other.db"), "CREATE TABLE t (x)");
    EXPECT_EQ(restore("other.db", "new.db").error().code, ErrorCode::Configuration);
    EXPECT_FALSE(fs::exists(folder.file("new.db")));
    EXPECT_EQ(filesNamed(".restoring"), 0U);
}

} // namespace
} // namespace octostore::test
