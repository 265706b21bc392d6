// SPDX-License-Identifier: MIT
#include "Database.h"

#include "SqliteFixture.h"

#include <gmock/gmock.h>
#include <sqlite3.h>

#include <cstring>

namespace octostore::test
{

using sqlite::Database;
using ::testing::HasSubstr;

class DatabaseTest : public SqliteFixture
{
protected:
    void SetUp() override
    {
        auto locked = sqlite::StoreFiles::lock(folder.file("octostore.db"));
        ASSERT_TRUE(locked.ok()) << locked.error().message;
        _files = *std::move(locked);
    }
    Result<std::unique_ptr<Database>> open(const sqlite::Options& with)
    {
        return Database::open(with.path, with, Database::Mode::CreateIfMissing);
    }

    std::unique_ptr<sqlite::StoreFiles> _files;
};

TEST_F(DatabaseTest, OpensWithAWriteAheadLogThatIsSynced)
{
    std::string journal;
    std::string synchronous;
    const auto keep = [](void* to, int, char** values, char**)
    {
        *static_cast<std::string*>(to) = values[0];
        return 0;
    };
    const auto database = open(options());
    ASSERT_TRUE(database.ok()) << database.error().message;
    sqlite3_exec((*database)->handle(), "PRAGMA journal_mode", keep, &journal, nullptr);
    sqlite3_exec((*database)->handle(), "PRAGMA synchronous", keep, &synchronous, nullptr);
    EXPECT_EQ(journal, "wal");
    EXPECT_EQ(synchronous, "2");
}

TEST_F(DatabaseTest, AFileSystemWithoutSharedMemoryIsRefused)
{
    // This one of SQLite's own file systems has no shared memory, as network file systems have not.
    auto without = options();
    without.vfs = "unix-none";
    const auto database = open(without);
    ASSERT_FALSE(database.ok());
    EXPECT_EQ(database.error().code, ErrorCode::Unavailable);
    EXPECT_THAT(database.error().message, HasSubstr("write-ahead log"));
}

TEST_F(DatabaseTest, SynchronousFullThatDoesNotTakeEffectIsRefused)
{
    failures.at("open",
                [](sqlite3* connection)
                {
                    sqlite3_exec(connection, "PRAGMA synchronous=NORMAL", nullptr, nullptr,
                                 nullptr);
                    const auto ignore = [](void*, int action, const char* name, const char* value,
                                           const char*, const char*)
                    {
                        const bool sets = action == SQLITE_PRAGMA && value &&
                                          std::strcmp(name, "synchronous") == 0;
                        return sets ? SQLITE_IGNORE : SQLITE_OK;
                    };
                    return sqlite3_set_authorizer(connection, ignore, nullptr);
                });
    const auto database = open(options());
    ASSERT_FALSE(database.ok());
    EXPECT_EQ(database.error().code, ErrorCode::Unavailable);
    EXPECT_THAT(database.error().message, HasSubstr("synchronous=FULL"));
}

TEST_F(DatabaseTest, AFileThatMustExistIsNotCreated)
{
    const auto with = options();
    const auto database = Database::open(with.path, with, Database::Mode::MustExist);
    EXPECT_FALSE(database.ok());
    EXPECT_FALSE(std::filesystem::exists(with.path));
}

TEST_F(DatabaseTest, EmptyingTheLogMovesItIntoTheDatabase)
{
    const auto with = options();
    const auto database = open(with);
    ASSERT_TRUE(database.ok());
    sqlite3_exec((*database)->handle(), "CREATE TABLE t (x)", nullptr, nullptr, nullptr);
    EXPECT_GT(std::filesystem::file_size(with.path + "-wal"), 0U);
    EXPECT_TRUE((*database)->emptyLog().ok());
    EXPECT_EQ(std::filesystem::file_size(with.path + "-wal"), 0U);
}

TEST_F(DatabaseTest, DamageAndFullDisksAreToldFromOtherErrors)
{
    EXPECT_TRUE(sqlite::isDamage(SQLITE_CORRUPT_VTAB));
    EXPECT_TRUE(sqlite::isDamage(SQLITE_NOTADB));
    EXPECT_FALSE(sqlite::isDamage(SQLITE_IOERR_FSYNC));
    EXPECT_TRUE(sqlite::isFull(SQLITE_FULL));
    EXPECT_FALSE(sqlite::isFull(SQLITE_IOERR_WRITE));
}

} // namespace octostore::test
