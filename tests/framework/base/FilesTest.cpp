// SPDX-License-Identifier: MIT
#include "support/TemporaryDirectory.h"

#include <octostore/base/Files.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace octostore::test
{
namespace
{

class FilesTest : public testing::Test
{
protected:
    /// A file that has its name in it.
    std::string write(const std::string& name) const { return _folder.write(name, name); }
    std::string read(const std::string& name) const
    {
        std::string text;
        std::ifstream(_folder.file(name)) >> text;
        return text;
    }

    const TemporaryDirectory _folder;
};

TEST_F(FilesTest, AFileGetsANameThatNothingHas)
{
    EXPECT_TRUE(renameToFree(write("a"), _folder.file("b")));
    EXPECT_EQ(read("b"), "a");
    EXPECT_FALSE(std::filesystem::exists(_folder.file("a")));
    EXPECT_TRUE(syncFolderOf(_folder.file("b")));
}

TEST_F(FilesTest, ANameThatIsTakenIsNotTakenAway)
{
    const std::string taken = write("b");
    const auto renamed = renameToFree(write("a"), taken);
    ASSERT_FALSE(renamed);
    EXPECT_EQ(renamed.error().code, ErrorCode::Unavailable);
    EXPECT_NE(renamed.error().message.find("exists"), std::string::npos);
    EXPECT_EQ(read("a"), "a");
    EXPECT_EQ(read("b"), "b");
}

TEST_F(FilesTest, AFolderThatIsNotThereIsNamed)
{
    const auto synced = syncFolderOf(_folder.file("missing/file"));
    ASSERT_FALSE(synced);
    EXPECT_NE(synced.error().message.find("missing"), std::string::npos);
}

} // namespace
} // namespace octostore::test
