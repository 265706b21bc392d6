// SPDX-License-Identifier: MIT
#include "SqliteFixture.h"

#include <gmock/gmock.h>
#include <sqlite3.h>

#include <fstream>
#include <limits>

#include <sys/stat.h>

namespace octostore::test
{

using ::testing::HasSubstr;
namespace fs = std::filesystem;

class SqliteBackendTest : public SqliteFixture
{
protected:
    /// At least two pages each.
    void commitPages(int commits)
    {
        const std::string text(3000, 'x');
        for (int i = 0; i < commits; ++i)
            mustCommit(Draft().put(metaKey(std::to_string(i % 50)), metaValue(text)));
    }
    /// Of the write-ahead log: another one each time it starts anew.
    std::string salt() const
    {
        constexpr std::streamoff place = 16;
        std::string salt(8, '\0');
        std::ifstream log(folder.file("octostore.db-wal"), std::ios::binary);
        log.seekg(place).read(salt.data(), static_cast<std::streamsize>(salt.size()));
        EXPECT_TRUE(log) << "there is no log";
        return salt;
    }
    /// Whether the log starts anew while commits go on. How many that takes depends on when the
    /// thread that copies gets its turn.
    bool startsAnew()
    {
        constexpr int commitsMax = 100'000;
        const std::string before = salt();
        for (int commits = 0; commits < commitsMax && salt() == before && !HasFailure(); ++commits)
            commitPages(1);
        return salt() != before;
    }
};

TEST_F(SqliteBackendTest, SaysThatItIsDurableAndExclusive)
{
    start();
    EXPECT_TRUE(server->traits().durable);
    EXPECT_FALSE(server->traits().shared);
}

TEST_F(SqliteBackendTest, ASecondServerIsRefusedWithTheNameOfTheDatabase)
{
    start();
    const Error error = refusal(options());
    EXPECT_EQ(error.code, ErrorCode::Unavailable);
    EXPECT_THAT(error.message, HasSubstr(folder.file("octostore.db")));
    EXPECT_THAT(error.message, HasSubstr("Another server"));
    mustCommit(Draft().put(metaKey("a"), metaValue("1")));
}

TEST_F(SqliteBackendTest, ASecondServerIsRefusedUnderAnotherNameOfTheFile)
{
    start();
    fs::create_symlink(folder.file("octostore.db"), folder.file("alias.db"));
    EXPECT_EQ(refusal(options("alias.db")).code, ErrorCode::Unavailable);
    fs::create_directory(folder.path() / "inner");
    EXPECT_EQ(refusal(options("inner/../octostore.db")).code, ErrorCode::Unavailable);
}

TEST_F(SqliteBackendTest, TheNextServerMayHaveTheDatabaseWhenTheFirstHasStopped)
{
    start();
    mustCommit(Draft().put(metaKey("a"), metaValue("1")));
    start();
    EXPECT_EQ(loaded.size(), 1U);
}

TEST_F(SqliteBackendTest, ADatabaseOfANewerServerIsRefusedWithOneLine)
{
    start();
    stop();
    runSql(folder.file("octostore.db"), "PRAGMA user_version=99");
    const Error error = refusal(options());
    EXPECT_EQ(error.code, ErrorCode::Configuration);
    EXPECT_THAT(error.message, HasSubstr("99"));
    EXPECT_EQ(error.message.find('\n'), std::string::npos);
}

TEST_F(SqliteBackendTest, ADatabaseOfAnotherProgramIsRefusedAndLeftAlone)
{
    runSql(folder.file("octostore.db"), "CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)");
    EXPECT_EQ(refusal(options()).code, ErrorCode::Configuration);
    EXPECT_EQ(runSql(folder.file("octostore.db"), "SELECT count(*) FROM sqlite_schema"), "1");
}

TEST_F(SqliteBackendTest, AFileThatIsNoDatabaseIsRefused)
{
    std::ofstream(folder.file("octostore.db")) << std::string(10'000, 'x');
    EXPECT_EQ(refusal(options()).code, ErrorCode::Corrupt);
}

TEST_F(SqliteBackendTest, ADamagedRowIsRefusedAtLoad)
{
    start();
    mustCommit(Draft().put(leaseKey("a"), sampleLease(1)));
    stop();
    runSql(folder.file("octostore.db"), "UPDATE lease SET holder=x'0102'");
    EXPECT_EQ(refusal(options()).code, ErrorCode::Corrupt);
}

TEST_F(SqliteBackendTest, TwoRowsOfOneKeyAreRefusedAtLoad)
{
    start();
    mustCommit(Draft().put(metaKey("a"), metaValue("1")));
    stop();
    runSql(folder.file("octostore.db"),
           "INSERT INTO record SELECT 77, collection, name, version, value FROM record");
    EXPECT_EQ(refusal(options()).code, ErrorCode::Corrupt);
}

TEST_F(SqliteBackendTest, ADatabaseThatVanishesIsLost)
{
    start();
    fs::rename(folder.file("octostore.db"), folder.file("elsewhere.db"));
    const auto lost = listener->waitUntilLost();
    ASSERT_TRUE(lost.has_value());
    EXPECT_THAT(lost->message, HasSubstr(folder.file("octostore.db")));
    EXPECT_EQ(mustFail(Draft().put(metaKey("a"), metaValue("1"))), ErrorCode::Unavailable);
}

TEST_F(SqliteBackendTest, AnotherFileAtThePathOfTheDatabaseIsALoss)
{
    auto quiet = options();
    quiet.watchInterval = Milliseconds(3'600'000);
    start(quiet);
    mustCommit(Draft().put(metaKey("a"), metaValue("1")));
    fs::copy_file(folder.file("octostore.db"), folder.file("copy.db"));
    fs::rename(folder.file("copy.db"), folder.file("octostore.db"));
    // The next commit notices, whatever the interval.
    EXPECT_EQ(mustFail(Draft().put(metaKey("b"), metaValue("1"))), ErrorCode::Unavailable);
    EXPECT_TRUE(listener->waitUntilLost().has_value());
}

TEST_F(SqliteBackendTest, ALockFileThatVanishesIsALoss)
{
    start();
    fs::remove(folder.file("octostore.db.lock"));
    const auto lost = listener->waitUntilLost();
    ASSERT_TRUE(lost.has_value());
    EXPECT_THAT(lost->message, HasSubstr(".lock"));
}

TEST_F(SqliteBackendTest, AFullDiskIsUnavailableUntilThereIsSpaceAgain)
{
    start();
    const Revision before = mustCommit(Draft().put(metaKey("a"), metaValue("1")));
    const std::string large(100'000, 'x');
    failures.at(
        "begin", [](sqlite3* connection)
        { return sqlite3_exec(connection, "PRAGMA max_page_count=1", nullptr, nullptr, nullptr); });
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(mustFail(Draft().put(metaKey("large"), metaValue(large))),
                  ErrorCode::Unavailable);

    failures.at("begin",
                [](sqlite3* connection) {
                    return sqlite3_exec(connection, "PRAGMA max_page_count=1000000", nullptr,
                                        nullptr, nullptr);
                });
    const Revision after =
        mustCommit(Draft().when(absent(metaKey("large"))).put(metaKey("large"), metaValue(large)));
    EXPECT_GT(after, before);
    start();
    EXPECT_EQ(loaded[metaKey("large")].version, after);
    EXPECT_EQ(loaded[metaKey("a")].version, before);
}

TEST_F(SqliteBackendTest, ANewDatabaseIsForItsUserOnly)
{
    start();
    for (const char* const name : {"octostore.db", "octostore.db-wal", "octostore.db.lock"})
    {
        struct stat status = {};
        ASSERT_EQ(::stat(folder.file(name).c_str(), &status), 0) << name;
        EXPECT_EQ(status.st_mode & 0777, 0600U) << name;
    }
}

TEST_F(SqliteBackendTest, APathMayHaveAnyCharacter)
{
    for (const char* const name : {"a b?c#d%41&mode=memory.db", "\u00fc'\".db"})
    {
        start(options(name));
        mustCommit(Draft().put(metaKey("a"), metaValue(name)));
        EXPECT_TRUE(fs::exists(folder.file(name)));
        start(options(name));
        EXPECT_EQ(loaded[metaKey("a")].value, metaValue(name));
    }
}

TEST_F(SqliteBackendTest, TheSizeIsThatOfTheFile)
{
    start();
    stop();
    start();
    EXPECT_EQ(server->sizeBytes(), fs::file_size(folder.file("octostore.db")));
    EXPECT_GT(server->sizeBytes(), 0U);
}

TEST_F(SqliteBackendTest, TheWriteAheadLogStartsAnewWhileCommitsGoOn)
{
    auto small = options();
    small.checkpoint = {.startPages = 64, .finishPages = 16, .forcedPages = 512};
    start(small);
    commitPages(300);
    for (int times = 0; times < 10; ++times)
        ASSERT_TRUE(startsAnew());
    start();
    EXPECT_EQ(loaded.size(), 50U);
}

TEST_F(SqliteBackendTest, AReaderKeepsTheLogGrowingOnlyWhileItReads)
{
    auto small = options();
    small.checkpoint = {.startPages = 64, .finishPages = 16, .forcedPages = 256};
    start(small);
    commitPages(300);
    sqlite3* reader = nullptr;
    ASSERT_EQ(sqlite3_open(folder.file("octostore.db").c_str(), &reader), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(reader, "BEGIN; SELECT * FROM batch", nullptr, nullptr, nullptr),
              SQLITE_OK);
    commitPages(600);
    EXPECT_GT(fs::file_size(folder.file("octostore.db-wal")), 1000U * 4096U);
    sqlite3_close(reader);
    EXPECT_TRUE(startsAnew());
}

TEST_F(SqliteBackendTest, TrimmingGetsItsTurnWhileCommitsGoOn)
{
    start();
    std::vector<backend::Transaction> batch;
    for (int i = 0; i < 6000; ++i)
        batch.push_back(Draft().event(sampleEvent("a")));
    server->commit(std::move(batch));
    ASSERT_EQ(listener->takeOutcomes(1).size(), 1U);
    ASSERT_TRUE(server->trimEvents(Sequence(1)).ok());
    ASSERT_TRUE(server->trimEvents(Sequence(1)).ok());
    EXPECT_EQ(listener->takeOutcomes(5999).size(), 5999U);
    const auto left = server->events(Sequence{}, 10'000);
    ASSERT_TRUE(left.ok());
    EXPECT_EQ(left->size(), 5999U);
}

} // namespace octostore::test
