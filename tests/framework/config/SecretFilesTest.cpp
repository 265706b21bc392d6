// SPDX-License-Identifier: MIT
#include "ConfigurationFixture.h"

namespace octostore::config
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

class SecretFilesTest : public ConfigurationFixture
{
protected:
    SecretFilesTest() { table = serverKeys(); }

    std::string adminKey() { return loadGood()->text("auth.admin_key"); }
};

TEST_F(SecretFilesTest, EveryWayToNameAFileWorks)
{
    const std::string path = directory.write("key", "hush\n");
    sources.environment = {{"ADMIN_KEY_FILE", path}};
    EXPECT_EQ(adminKey(), "hush");
    sources.environment = {{"OCTOSTORE_AUTH_ADMIN_KEY_FILE", path}};
    EXPECT_EQ(adminKey(), "hush");
    EXPECT_EQ(loadGood()->origin("auth.admin_key").place, "OCTOSTORE_AUTH_ADMIN_KEY_FILE");
    EXPECT_THAT(warnings(), IsEmpty());
    sources.environment.clear();
    sources.settings = {"auth.admin_key_file=" + path};
    EXPECT_EQ(adminKey(), "hush");
    sources.settings.clear();
    directory.write("octostore.properties",
                    "auth.admin_key_file = " + path + "\nauth.static.a.token_file = " + path);
    EXPECT_EQ(adminKey(), "hush");
    EXPECT_EQ(loadGood()->text("auth.static.a.token"), "hush");
    EXPECT_THAT(loadGood()->names("auth.static"), ElementsAre("a"));
}

TEST_F(SecretFilesTest, OnlyOneLineEndIsTakenOff)
{
    for (const auto& [content, secret] :
         std::vector<std::pair<std::string, std::string>>{{"a", "a"},
                                                          {"a\n", "a"},
                                                          {"a\r\n", "a"},
                                                          {"a\n\n", "a\n"},
                                                          {" a ", " a "},
                                                          {"a\nb\n", "a\nb"}})
    {
        sources.environment = {{"ADMIN_KEY_FILE", directory.write("key", content)}};
        EXPECT_EQ(adminKey(), secret);
    }
}

TEST_F(SecretFilesTest, ASecretAndItsFileInOnePlaceIsAnError)
{
    const std::string path = directory.write("key", "hush");
    const std::string message =
        "auth.admin_key: is set both directly and through a file; remove one of them";
    sources.environment = {{"ADMIN_KEY", "x"}, {"OCTOSTORE_AUTH_ADMIN_KEY_FILE", path}};
    EXPECT_THAT(problems(), ElementsAre("OCTOSTORE_AUTH_ADMIN_KEY_FILE: " + message));
    sources.environment.clear();
    directory.write("octostore.properties",
                    "auth.admin_key_file = " + path + "\nauth.admin_key = x\n");
    EXPECT_THAT(problems(), ElementsAre("octostore.properties:2: " + message));
}

TEST_F(SecretFilesTest, AHigherLayerMayChooseTheOtherWay)
{
    directory.write("octostore.properties", "auth.admin_key = low\n");
    sources.environment = {{"ADMIN_KEY_FILE", directory.write("key", "high")}};
    EXPECT_EQ(adminKey(), "high");
}

TEST_F(SecretFilesTest, FilesThatCannotBeUsedAreErrors)
{
    const auto problemWith = [this](const std::string& path)
    {
        sources.environment = {{"ADMIN_KEY_FILE", path}};
        return problems();
    };
    const std::string start = "ADMIN_KEY_FILE: auth.admin_key: ";
    EXPECT_THAT(problemWith(" "), ElementsAre(start + "names no file"));
    EXPECT_THAT(problemWith(directory.file("none")),
                ElementsAre(start + "its file none cannot be read: No such file or directory"));
    EXPECT_THAT(problemWith(directory.write("empty", "\n")),
                ElementsAre(start + "its file empty is empty"));
    EXPECT_THAT(problemWith(directory.write("bytes", "\xFF")),
                ElementsAre(start + "its file bytes is not valid UTF-8"));
}

TEST_F(SecretFilesTest, FilesThatOthersCanReadAreWarnedOf)
{
    namespace fs = std::filesystem;
    const std::string path = directory.write("key", "hush");
    const std::string main = directory.write("octostore.properties", "auth.static.a.token = x\n");
    fs::permissions(path, fs::perms::group_read, fs::perm_options::add);
    fs::permissions(main, fs::perms::others_read, fs::perm_options::add);
    sources.environment = {{"ADMIN_KEY_FILE", path}};
    EXPECT_THAT(warnings(),
                ElementsAre("octostore.properties: has secrets and can be read by others; use "
                            "chmod 600",
                            "ADMIN_KEY_FILE: auth.admin_key: its file key can be read by others; "
                            "use chmod 600"));
    EXPECT_EQ(adminKey(), "hush");
}

TEST_F(SecretFilesTest, CredentialsStandBetweenFileAndEnvironment)
{
    directory.write("credentials/auth.admin_key", "credential\n");
    sources.environment = {{"CREDENTIALS_DIRECTORY", directory.file("credentials")}};
    directory.write("octostore.properties", "auth.admin_key = file\n");
    EXPECT_EQ(adminKey(), "credential");
    EXPECT_EQ(loadGood()->origin("auth.admin_key").layer, Layer::Credential);
    sources.environment["ADMIN_KEY"] = "variable";
    EXPECT_EQ(adminKey(), "variable");
}

TEST_F(SecretFilesTest, TheTokensFileIsAKeyOfItsOwn)
{
    sources.environment = {{"STATIC_TOKENS", "a:1"}, {"STATIC_TOKENS_FILE", "/not/read/here"}};
    const auto configuration = loadGood();
    EXPECT_EQ(configuration->text("auth.static.tokens"), "a:1");
    EXPECT_EQ(configuration->text("auth.static.tokens_file"), "/not/read/here");
}

TEST_F(SecretFilesTest, NoProblemShowsASecret)
{
    directory.write("octostore.properties", "auth.admin_key = hush\nauth.admin_key = hush\n"
                                            "auth.static.a.tokn = hush\nhush\n");
    sources.environment = {{"ADMIN_KEY", "hush\xFF"}};
    for (const std::string& problem : problems())
        EXPECT_EQ(problem.find("hush"), std::string::npos) << problem;
    EXPECT_EQ(problems().size(), 4U);
}

} // namespace
} // namespace octostore::config
