// SPDX-License-Identifier: MIT
#include "plugin/PluginLibrary.h"

#include <gtest/gtest.h>

#include <filesystem>

#include <unistd.h>

namespace octostore::plugin
{

namespace fs = std::filesystem;

class PluginLibraryTest : public testing::Test
{
protected:
    static std::string sample(const std::string& name)
    {
        return OCTOSTORE_SAMPLES "/" + name + ".so";
    }

    /// Why `name` is not taken: at open(), compatible() or make(). Empty: it is.
    static std::string refusal(const std::string& name)
    {
        auto library = PluginLibrary::open(sample(name));
        if (!library)
            return library.error().message;
        if (auto compatible = (*library)->compatible(); !compatible)
            return compatible.error().message;
        auto made = (*library)->make();
        return made ? "" : made.error().message;
    }

    static bool contains(const std::string& text, const std::string& part)
    {
        return text.find(part) != std::string::npos && text.find('\n') == std::string::npos;
    }
};

TEST_F(PluginLibraryTest, AGoodPluginIsDescribedAndMade)
{
    auto library = PluginLibrary::open(sample("sample-b"));
    ASSERT_TRUE(library) << library.error().message;
    EXPECT_EQ((*library)->descriptor().id, "sample-b");
    EXPECT_EQ((*library)->descriptor().version, "1.2.3");
    EXPECT_EQ((*library)->descriptor().required, std::vector<std::string>{"sample-a"});
    EXPECT_EQ((*library)->descriptor().provided, "health.check/1");
    ASSERT_TRUE((*library)->compatible());
    auto made = (*library)->make();
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_NE(*made, nullptr);
}

TEST_F(PluginLibraryTest, AMissingFileIsRefusedWithItsName)
{
    EXPECT_PRED2(contains, refusal("nothing-here"), "nothing-here.so: No such file");
}

TEST_F(PluginLibraryTest, ALibraryThatIsNoPluginIsRefused)
{
    EXPECT_PRED2(contains, refusal("misfit-no-plugin"), "no octostore_plugin_describe");
}

TEST_F(PluginLibraryTest, AMissingSymbolIsFoundWhileLoading)
{
    EXPECT_PRED2(contains, refusal("misfit-missing-symbol"),
                 "octostore_symbol_that_nobody_defines");
}

TEST_F(PluginLibraryTest, AShortDescriptorIsRefused)
{
    EXPECT_PRED2(contains, refusal("misfit-size"), "too short");
}

TEST_F(PluginLibraryTest, ADescriptorWithoutAnIdIsRefused)
{
    EXPECT_PRED2(contains, refusal("misfit-null"), "without a value");
}

TEST_F(PluginLibraryTest, AnotherAbiTagIsRefusedAndBothAreNamed)
{
    EXPECT_PRED2(contains, refusal("misfit-tag"), "built as \"octostore-0\"");
    EXPECT_PRED2(contains, refusal("misfit-tag"), "this server is \"octostore-1;cxx=202002;");
}

TEST_F(PluginLibraryTest, AFileIsNamedLikeItsPlugin)
{
    auto library = PluginLibrary::open(sample("misfit-other-id"));
    ASSERT_TRUE(library) << library.error().message;
    EXPECT_TRUE((*library)->isNamedLike("/anywhere/sample-a.so"));
    EXPECT_PRED2(contains, (*library)->isNamedLike("/x/misfit-other-id.so").error().message,
                 "/x/misfit-other-id.so is the plugin \"sample-a\", not \"misfit-other-id\"");
}

TEST_F(PluginLibraryTest, AnotherMajorApiIsRefused)
{
    EXPECT_PRED2(contains, refusal("misfit-major"), "built for API 2.0, this server has 1.0");
}

TEST_F(PluginLibraryTest, ANewerMinorApiIsRefused)
{
    EXPECT_PRED2(contains, refusal("misfit-minor"), "built for API 1.99");
}

TEST_F(PluginLibraryTest, APluginWithoutManifestIsRefused)
{
    EXPECT_PRED2(contains, refusal("misfit-no-manifest"), "no pocoBuildManifest");
}

TEST_F(PluginLibraryTest, AConstructorThatThrowsIsAnError)
{
    EXPECT_EQ(refusal("sample-throws"), "it threw: no luck");
    EXPECT_EQ(refusal("sample-throws-number"), "it threw: an exception of an unknown type");
}

TEST_F(PluginLibraryTest, NamesWithPathsAreRefused)
{
    EXPECT_EQ(*pluginFile("/lib", "auth-static2"), "/lib/auth-static2.so");
    for (const char* name : {"", "../evil", "a/b", "A", "a.so", "a b"})
        EXPECT_FALSE(pluginFile("/lib", name)) << name;
}

class PluginFileModeTest : public PluginLibraryTest
{
protected:
    void SetUp() override
    {
        char name[] = "/tmp/octostore-plugin-XXXXXX";
        ASSERT_NE(mkdtemp(name), nullptr);
        directory = name;
        file = directory / "sample-a.so";
        fs::copy_file(sample("sample-a"), file);
    }
    void TearDown() override { fs::remove_all(directory); }

    std::string openWithMode(unsigned mode)
    {
        fs::permissions(file, static_cast<fs::perms>(mode));
        auto library = PluginLibrary::open(file);
        return library ? "" : library.error().message;
    }

    fs::path directory;
    fs::path file;
};

TEST_F(PluginFileModeTest, AFileThatOthersMayWriteIsRefused)
{
    EXPECT_EQ(openWithMode(0755), "");
    EXPECT_PRED2(contains, openWithMode(0775), "group or others may write it");
    EXPECT_PRED2(contains, openWithMode(0757), "group or others may write it");
}

TEST_F(PluginFileModeTest, ADirectoryThatOthersMayWriteIsRefused)
{
    for (const unsigned mode : {0775U, 0757U})
    {
        fs::permissions(directory, static_cast<fs::perms>(mode));
        EXPECT_EQ(openWithMode(0755),
                  directory.string() + ": group or others may write it; chmod go-w it");
    }
}

TEST_F(PluginFileModeTest, ALinkIsOnlyAsSafeAsBothItsDirectories)
{
    const fs::path links = directory / "links";
    fs::create_directory(links);
    fs::create_symlink(file, links / "sample-a.so");
    const auto refusalOfLink = [&]
    {
        auto library = PluginLibrary::open(links / "sample-a.so");
        return library ? "" : library.error().message;
    };
    EXPECT_EQ(refusalOfLink(), "");
    fs::permissions(links, fs::perms::others_write, fs::perm_options::add);
    EXPECT_PRED2(contains, refusalOfLink(), "/links: group or others may write it");
    fs::permissions(links, fs::perms::others_write, fs::perm_options::remove);
    fs::permissions(directory, fs::perms::group_write, fs::perm_options::add);
    EXPECT_PRED2(contains, refusalOfLink(), directory.string() + ": group or others may write it");
}

TEST_F(PluginFileModeTest, ADirectoryOfAnotherUserIsRefused)
{
    if (geteuid() != 0)
        GTEST_SKIP() << "only root can give directories away";
    ASSERT_EQ(chown(directory.c_str(), 65534, 65534), 0);
    EXPECT_PRED2(contains, openWithMode(0755), "belongs to neither root nor the user");
}

TEST_F(PluginFileModeTest, AFileOfAnotherUserIsRefused)
{
    if (geteuid() != 0)
        GTEST_SKIP() << "only root can give files away";
    ASSERT_EQ(chown(file.c_str(), 65534, 65534), 0);
    EXPECT_PRED2(contains, openWithMode(0755), "belongs to neither root nor the user");
}

TEST_F(PluginFileModeTest, ADirectoryIsRefused)
{
    fs::remove(file);
    fs::create_directory(file);
    EXPECT_PRED2(contains, PluginLibrary::open(file).error().message, "not a regular file");
}

} // namespace octostore::plugin
