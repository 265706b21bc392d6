// SPDX-License-Identifier: MIT
#include "StoreFiles.h"

#include "SqliteFixture.h"

#include <gmock/gmock.h>

#include <fstream>

#include <unistd.h>

namespace octostore::test
{

using sqlite::StoreFiles;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class StoreFilesTest : public ::testing::Test
{
protected:
    TemporaryDirectory folder;
};

TEST_F(StoreFilesTest, TheLockIsHeldAsLongAsTheObjectLives)
{
    {
        const auto first = StoreFiles::lock(folder.file("a.db"));
        ASSERT_TRUE(first.ok());
        EXPECT_FALSE(StoreFiles::lock(folder.file("a.db")).ok());
        EXPECT_TRUE(StoreFiles::lock(folder.file("b.db")).ok());
    }
    EXPECT_TRUE(StoreFiles::lock(folder.file("a.db")).ok());
}

TEST_F(StoreFilesTest, TheRefusalNamesPathLockAndProcess)
{
    const auto first = StoreFiles::lock(folder.file("a.db"));
    const auto second = StoreFiles::lock(folder.file("a.db"));
    ASSERT_FALSE(second.ok());
    EXPECT_THAT(second.error().message, HasSubstr(folder.file("a.db")));
    EXPECT_THAT(second.error().message, HasSubstr(folder.file("a.db.lock")));
    EXPECT_THAT(second.error().message, HasSubstr(std::to_string(::getpid())));
}

TEST_F(StoreFilesTest, LinksAndDotsLeadToOneLock)
{
    fs::create_directory(folder.path() / "real");
    fs::create_directory_symlink(folder.path() / "real", folder.path() / "linked");
    std::ofstream(folder.file("real/a.db")).close();
    fs::create_symlink(folder.file("real/a.db"), folder.file("alias"));
    const auto first = StoreFiles::lock(folder.file("alias"));
    ASSERT_TRUE(first.ok());
    EXPECT_EQ((*first)->path(), folder.file("real/a.db"));
    EXPECT_EQ((*first)->lockPath(), folder.file("real/a.db.lock"));
    EXPECT_FALSE(StoreFiles::lock(folder.file("linked/../real/./a.db")).ok());
}

TEST_F(StoreFilesTest, WhatCanBeNoDatabaseIsRefused)
{
    for (const std::string& path : {std::string(), std::string(":memory:"), folder.file("x/")})
        EXPECT_EQ(StoreFiles::lock(path).error().code, ErrorCode::Configuration) << path;
    EXPECT_EQ(StoreFiles::lock(folder.path().string()).error().code, ErrorCode::Configuration);
    EXPECT_EQ(StoreFiles::lock(folder.file("no/such/a.db")).error().code, ErrorCode::Unavailable);
    fs::create_symlink(folder.file("nothing"), folder.file("dangling"));
    EXPECT_EQ(StoreFiles::lock(folder.file("dangling")).error().code, ErrorCode::Unavailable);
}

TEST_F(StoreFilesTest, CheckNoticesFilesThatAreGoneOrOthers)
{
    const std::string path = folder.file("a.db");
    std::ofstream(path) << "1";
    const auto files = StoreFiles::lock(path);
    ASSERT_TRUE(files.ok());
    ASSERT_TRUE((*files)->remember().ok());
    EXPECT_TRUE((*files)->check().ok());

    fs::rename(path, folder.file("moved"));
    EXPECT_FALSE((*files)->check().ok());
    std::ofstream(path) << "2";
    EXPECT_FALSE((*files)->check().ok());
    fs::rename(folder.file("moved"), path);
    EXPECT_TRUE((*files)->check().ok());

    fs::rename(path + ".lock", folder.file("moved"));
    std::ofstream(path + ".lock").close();
    EXPECT_FALSE((*files)->check().ok());
}

} // namespace octostore::test
