// SPDX-License-Identifier: MIT
// Goal: whatever is wrong with a configuration is found before anything starts.
// Method: the plugins that were built, loaded into this process; nothing of them is started.
#include "Settings.h"

#include "support/TemporaryDirectory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace octostore::program
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using testing::UnorderedElementsAre;

class SettingsTest : public testing::Test
{
protected:
    SettingsTest()
    {
        sources.directory = directory.path().string();
        sources.systemFile = directory.file("none/octostore.properties");
    }

    std::unique_ptr<Settings> read(std::vector<std::string> settings = {})
    {
        sources.settings = std::move(settings);
        return std::make_unique<Settings>(sources, Settings::Log::Silent);
    }

    /// Without the directory.
    std::vector<std::string> texts(const Settings::Problems& problems) const
    {
        const std::string prefix = directory.path().string() + "/";
        std::vector<std::string> all;
        for (const config::Problem& problem : problems)
        {
            std::string text = problem.toString();
            if (text.compare(0, prefix.size(), prefix) == 0)
                text.erase(0, prefix.size());
            all.push_back(std::move(text));
        }
        return all;
    }

    const test::TemporaryDirectory directory;
    config::Sources sources;
};

TEST_F(SettingsTest, AFileWithMistakesInKeysOfServerAndPluginsReportsAllOfThem)
{
    directory.write("octostore.properties", "http.thread = 4\n"                              // 1
                                            "server.bind = 127.0.0.1:99999\n"                // 2
                                            "http.trusted_proxies = 10.0.0.0/99\n"           // 3
                                            "webhooks.retry = 5s, banana, soon\n"            // 4
                                            "webhooks.secret_key = abc\n"                    // 5
                                            "webhooks.allow_private_networks = perhaps\n"    // off
                                            "webhooks.concurrency = 0\n"                     // 7
                                            "webhooks.egress.allow.cidrs = here\n"           // 8
                                            "tls.ca_bundle = /nowhere/ca.pem\n"              // 9
                                            "auth.static.bob.token = hunter2\n"              // fine
                                            "auth.static.bob.namespace = no blank\n"         // 11
                                            "auth.static.eve.token = has blank\n"            // 12
                                            "http.client_address_headers = forwarded, via\n" // 13
    );
    const auto found = texts(read()->reasonsNotToStart());
    const auto at = [](const char* line, const char* key)
    { return StartsWith(std::string("octostore.properties:") + line + ": " + key + ": "); };
    EXPECT_THAT(found,
                UnorderedElementsAre(
                    at("1", "http.thread"), at("2", "server.bind"), at("3", "http.trusted_proxies"),
                    at("4", "webhooks.retry"), at("4", "webhooks.retry"),
                    at("5", "webhooks.secret_key"), at("7", "webhooks.concurrency"),
                    at("8", "webhooks.egress.allow.cidrs"), at("9", "tls.ca_bundle"),
                    at("11", "auth.static.bob.namespace"), at("12", "auth.static.eve.token"),
                    at("13", "http.client_address_headers")));
}

TEST_F(SettingsTest, AnAddressThatNobodyCanListenOnIsRefused)
{
    for (const char* bind : {"127.0.0.1:99999", "foo", "[::1", "unix:relative", "localhost:3000"})
        EXPECT_THAT(
            texts(read({std::string("server.bind=") + bind})->reasonsNotToStart()),
            ElementsAre(StartsWith("--set: server.bind: `" + std::string(bind) + "` is no")));
    for (const char* bind : {"127.0.0.1:0", "[::1]:3000", "unix:/run/octostore.sock"})
        EXPECT_THAT(texts(read({std::string("server.bind=") + bind})->reasonsNotToStart()),
                    IsEmpty());
}

TEST_F(SettingsTest, APluginThatIsEnabledAndNotThereIsTold)
{
    const auto settings = read({"plugins.enabled=health,nothing-here"});
    EXPECT_THAT(settings->reasonsNotToStart(), IsEmpty()) << "the server runs without it";
    EXPECT_THAT(texts(settings->missing()),
                ElementsAre(StartsWith("--set: plugins.enabled: plugin nothing-here: /")));
}

TEST_F(SettingsTest, EveryRequiredPluginThatCannotBeLoadedIsTold)
{
    const auto found = texts(read({"plugins.enabled=not-this,health,nor-that",
                                   "plugins.required=not-this,nor-that", "storage.backend=floppy"})
                                 ->reasonsNotToStart());
    EXPECT_THAT(found,
                UnorderedElementsAre(StartsWith("--set: storage.backend: plugin backend-floppy: "),
                                     StartsWith("--set: plugins.enabled: plugin not-this: "),
                                     StartsWith("--set: plugins.enabled: plugin nor-that: ")));
}

TEST_F(SettingsTest, APluginThatOthersMayWriteIsTold)
{
    namespace fs = std::filesystem;
    const fs::path built = pluginDirectory(read()->initial());
    for (const char* name : {"backend-sqlite.so", "http-beast.so"})
        fs::create_symlink(built / name, directory.path() / name);
    directory.write("health.so", "never read");
    fs::permissions(directory.file("health.so"), fs::perms::others_write, fs::perm_options::add);
    const auto settings =
        read({"plugins.enabled=health", "plugins.directory=" + directory.path().string()});
    EXPECT_THAT(settings->reasonsNotToStart(), IsEmpty());
    EXPECT_THAT(texts(settings->missing()), ElementsAre(HasSubstr("group or others may write it")));
}

TEST_F(SettingsTest, ARequiredPluginMustBeEnabled)
{
    EXPECT_THAT(texts(read({"plugins.enabled=health", "plugins.required=health,metrics"})
                          ->reasonsNotToStart()),
                ElementsAre("--set: plugins.required: \"metrics\" is not in plugins.enabled"));
    EXPECT_THAT(
        read({"plugins.enabled=health", "plugins.required=health,http-beast"})->reasonsNotToStart(),
        IsEmpty())
        << "the transport is always there";
    EXPECT_THAT(read({"plugins.enabled=health"})->reasonsNotToStart(), IsEmpty())
        << "the default is about those that are enabled";
}

TEST_F(SettingsTest, ReadingAgainFindsWhatPluginsDoNotTake)
{
    directory.write("octostore.properties", "webhooks.retry = 5s\n");
    const auto settings = read();
    EXPECT_THAT(texts(settings->readAgain().problems), IsEmpty());
    directory.write("octostore.properties", "webhooks.retry = 5s, banana\n");
    EXPECT_THAT(texts(settings->readAgain().problems),
                ElementsAre("octostore.properties:1: webhooks.retry: `banana` is no duration; "
                            "write for example 5s"));
}

} // namespace octostore::program
