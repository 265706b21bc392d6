// SPDX-License-Identifier: MIT
#include "Schema.h"

#include "SqliteFixture.h"

namespace octostore::test
{

using sqlite::Database;
using sqlite::Migration;

class SchemaTest : public SqliteFixture
{
protected:
    Result<void> migrateTo(const std::vector<Migration>& known)
    {
        const auto with = options();
        const auto locked = sqlite::StoreFiles::lock(with.path);
        auto database = Database::open(with.path, with, Database::Mode::CreateIfMissing);
        EXPECT_TRUE(database.ok());
        return sqlite::migrate(**database, known);
    }
    std::string sql(const std::string& text) { return runSql(folder.file("octostore.db"), text); }

    const Migration _first{{"CREATE TABLE a (x)", "INSERT INTO a VALUES ('kept')"}};
    const Migration _second{{"ALTER TABLE a ADD COLUMN y DEFAULT 'added'"}};
    const Migration _broken{{"CREATE TABLE b (x)", "INSERT INTO nowhere VALUES (1)"}};
};

TEST_F(SchemaTest, AFreshDatabaseGetsEveryMigration)
{
    ASSERT_TRUE(migrateTo({_first, _second}).ok());
    EXPECT_EQ(sql("PRAGMA user_version"), "2");
    EXPECT_EQ(sql("SELECT x || ' ' || y FROM a"), "kept added");
}

TEST_F(SchemaTest, AnOlderDatabaseKeepsItsRowsAndGetsOnlyWhatItLacks)
{
    ASSERT_TRUE(migrateTo({_first}).ok());
    EXPECT_EQ(sql("PRAGMA user_version"), "1");
    ASSERT_TRUE(migrateTo({_first, _second}).ok());
    EXPECT_EQ(sql("PRAGMA user_version"), "2");
    EXPECT_EQ(sql("SELECT count(*) FROM a"), "1");
    ASSERT_TRUE(migrateTo({_first, _second}).ok());
    EXPECT_EQ(sql("SELECT count(*) FROM a"), "1");
}

TEST_F(SchemaTest, AMigrationThatFailsLeavesTheDatabaseAsItWas)
{
    ASSERT_TRUE(migrateTo({_first}).ok());
    EXPECT_FALSE(migrateTo({_first, _broken}).ok());
    EXPECT_EQ(sql("PRAGMA user_version"), "1");
    EXPECT_EQ(sql("SELECT count(*) FROM sqlite_schema"), "1");
    EXPECT_TRUE(migrateTo({_first, _second}).ok());
}

TEST_F(SchemaTest, ANewerDatabaseIsRefused)
{
    ASSERT_TRUE(migrateTo({_first, _second}).ok());
    const Result<void> refused = migrateTo({_first});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::Configuration);
}

} // namespace octostore::test
