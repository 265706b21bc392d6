// SPDX-License-Identifier: MIT
#include <octostore/client/TokenSource.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace octostore::client
{

class TokenSourceTest : public testing::Test
{
protected:
    void SetUp() override
    {
        std::string name = (std::filesystem::temp_directory_path() / "octostore-XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        _directory = name;
    }
    void TearDown() override { std::filesystem::remove_all(_directory); }

    std::string write(const std::string& name, const std::string& text, mode_t mode = 0600)
    {
        const std::string path = (_directory / name).string();
        std::ofstream(path) << text;
        EXPECT_EQ(::chmod(path.c_str(), mode), 0);
        return path;
    }
    static void expectRefused(const std::string& file, const std::string& why)
    {
        const auto source = TokenSource::open(file, "");
        ASSERT_FALSE(source);
        EXPECT_NE(source.error().message.find(why), std::string::npos) << source.error().message;
        EXPECT_EQ(source.error().message.find("secret"), std::string::npos);
    }

    std::filesystem::path _directory;
};

TEST_F(TokenSourceTest, AFileGoesBeforeTheEnvironment)
{
    auto source = TokenSource::open(write("token", "from-file\n"), "from-environment");
    ASSERT_TRUE(source);
    EXPECT_EQ(source->token(), "from-file");
    EXPECT_FALSE(source->fromEnvironment());
}

TEST_F(TokenSourceTest, TheEnvironmentIsTheLastResort)
{
    auto source = TokenSource::open("", "from-environment");
    ASSERT_TRUE(source);
    EXPECT_EQ(source->token(), "from-environment");
    EXPECT_TRUE(source->fromEnvironment());
    EXPECT_FALSE(TokenSource::open("", ""));
}

TEST_F(TokenSourceTest, AFileThatOthersCanUseIsRefused)
{
    expectRefused(write("token", "secret", 0640), "chmod 600");
    expectRefused(write("token", "secret", 0604), "chmod 600");
    expectRefused(write("token", "secret", 0620), "chmod 600");
    EXPECT_TRUE(TokenSource::open(write("token", "secret", 0400), ""));
}

TEST_F(TokenSourceTest, OnlyARegularFileOfTheCallerIsRead)
{
    const std::string file = write("token", "secret");
    const std::string link = (_directory / "link").string();
    ASSERT_EQ(::symlink(file.c_str(), link.c_str()), 0);
    expectRefused(link, "symbolic link");
    const std::string fifo = (_directory / "fifo").string();
    ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
    expectRefused(fifo, "not a regular file");
    expectRefused(_directory.string(), "not a regular file");
    expectRefused((_directory / "missing").string(), "No such file");
    if (::geteuid() == 0)
    {
        constexpr uid_t other = 12345;
        ASSERT_EQ(::chown(file.c_str(), other, other), 0);
        expectRefused(file, "another user");
    }
}

TEST_F(TokenSourceTest, AFileWithoutAUsableTokenIsRefused)
{
    expectRefused(write("token", " \n"), "no token");
    expectRefused(write("token", "secret secret"), "blanks");
    expectRefused(write("token", "secret\nsecret"), "blanks");
    expectRefused(write("token", std::string(5000, 's')), "4096");
}

TEST_F(TokenSourceTest, AChangedFileIsReadAgain)
{
    auto source = TokenSource::open(write("token", "first"), "");
    ASSERT_TRUE(source);
    // The usual way to replace a file: beside it, then over it.
    std::filesystem::rename(write("next", "second"), _directory / "token");
    EXPECT_EQ(source->token(), "second");
}

TEST_F(TokenSourceTest, AFileThatCannotBeReadNowLeavesTheTokenAsItWas)
{
    auto source = TokenSource::open(write("token", "first"), "");
    ASSERT_TRUE(source);
    std::filesystem::remove(_directory / "token");
    EXPECT_EQ(source->token(), "first");
    write("token", "second", 0644);
    EXPECT_EQ(source->token(), "first");
    // Of another size than the first: all of this may happen within one tick of the file's times.
    write("token", "the-third");
    EXPECT_EQ(source->token(), "the-third");
}

TEST_F(TokenSourceTest, ADashMeansTheFirstLineOfStandardInput)
{
    const std::string path = write("input", "from-stdin\nrest");
    const int saved = ::dup(STDIN_FILENO);
    const int input = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    ASSERT_EQ(::dup2(input, STDIN_FILENO), STDIN_FILENO);
    auto source = TokenSource::open("-", "");
    char rest[5] = {};
    EXPECT_EQ(::read(STDIN_FILENO, rest, 4), 4);
    ::dup2(saved, STDIN_FILENO);
    ::close(saved);
    ::close(input);
    ASSERT_TRUE(source);
    EXPECT_EQ(source->token(), "from-stdin");
    EXPECT_STREQ(rest, "rest");
}

} // namespace octostore::client
