// SPDX-License-Identifier: MIT
#include "ConfigurationFixture.h"

namespace octostore::config
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

class ConfigurationTest : public ConfigurationFixture
{
protected:
    ConfigurationTest() { table = serverKeys(); }

    std::string origin(const Configuration& configuration, std::string_view name) const
    {
        return texts({{configuration.origin(name).place, 0, "", ""}}).at(0);
    }
    std::string threads() { return std::to_string(loadGood()->integer("http.threads")); }
};

TEST_F(ConfigurationTest, WithoutSourcesEverythingHasItsDefault)
{
    const auto configuration = loadGood();
    EXPECT_EQ(configuration->text("server.bind"), "0.0.0.0:3000");
    EXPECT_EQ(configuration->bytes("http.body_max"), 65'536U);
    EXPECT_EQ(configuration->duration("http.keepalive_timeout").count(), 75'000);
    EXPECT_EQ(configuration->text("storage.database"), "octostore.db");
    EXPECT_TRUE(configuration->boolean("elections.public"));
    EXPECT_EQ(configuration->text("auth.admin_key"), "");
    EXPECT_FALSE(configuration->isSet("server.bind"));
    EXPECT_EQ(configuration->origin("server.bind").place, "default");
    EXPECT_THAT(warnings(), IsEmpty());
}

TEST_F(ConfigurationTest, EveryLayerOverrulesThoseBelowIt)
{
    directory.write("octostore.properties", "http.threads = 1\n");
    EXPECT_EQ(threads(), "1");
    directory.write("conf.d/10.properties", "http.threads = 2\n");
    EXPECT_EQ(threads(), "2");
    directory.write("conf.d/9.properties", "\nhttp.threads = 3\n"); // "9" is behind "10" in bytes
    directory.write("conf.d/99.properties.bak", "http.threads = 4\n");
    EXPECT_EQ(threads(), "3");
    EXPECT_EQ(origin(*loadGood(), "http.threads"), "conf.d/9.properties:2: ");
    sources.environment = {{"OCTOSTORE_HTTP_THREADS", "5"}};
    EXPECT_EQ(threads(), "5");
    EXPECT_EQ(loadGood()->origin("http.threads").place, "OCTOSTORE_HTTP_THREADS");
    EXPECT_EQ(loadGood()->origin("http.threads").layer, Layer::Environment);
    sources.settings = {"http.threads=6", "http.threads=7"};
    EXPECT_EQ(threads(), "7");
    EXPECT_EQ(loadGood()->origin("http.threads").place, "--set");
    EXPECT_TRUE(loadGood()->isSet("http.threads"));
}

TEST_F(ConfigurationTest, TheFileIsLookedForInOrder)
{
    directory.write("etc/octostore.properties", "http.threads = 1\n");
    EXPECT_EQ(threads(), "1");
    directory.write("octostore.properties", "http.threads = 2\n");
    EXPECT_EQ(threads(), "2");
    sources.environment = {
        {"OCTOSTORE_CONFIG", directory.write("b/named.properties", "http.threads = 3\n")}};
    EXPECT_EQ(threads(), "3");
    directory.write("b/conf.d/x.properties", "http.threads = 4\n");
    EXPECT_EQ(threads(), "4");
    sources.file = directory.write("c/given.properties", "http.threads = 5\n");
    EXPECT_EQ(threads(), "5");
}

TEST_F(ConfigurationTest, AFileThatWasNamedMustBeThere)
{
    sources.environment = {{"OCTOSTORE_CONFIG", directory.file("none")}};
    EXPECT_THAT(problems(), ElementsAre("none: cannot be read: No such file or directory"));
    sources.environment = {{"OCTOSTORE_CONFIG", " "}};
    EXPECT_THAT(problems(), ElementsAre("OCTOSTORE_CONFIG: is set but empty; it names a file"));
    sources.file = directory.file("neither");
    EXPECT_THAT(problems(), ElementsAre("neither: cannot be read: No such file or directory"));
    std::filesystem::create_directory(directory.file("folder"));
    sources.file = directory.file("folder");
    EXPECT_THAT(problems(), ElementsAre("folder: cannot be read: Is a directory"));
    sources.file = directory.write("large", std::string((1U << 20U) + 1, '#'));
    EXPECT_THAT(problems(), ElementsAre("large: is longer than 1 MiB"));
}

TEST_F(ConfigurationTest, TheVariablesOfTheContractWork)
{
    sources.environment = {{"BIND_ADDR", "127.0.0.1:0"},
                           {"DATABASE_URL", "/x/y.db"},
                           {"STATIC_TOKENS", "a:1,\nb:2"},
                           {"STATIC_TOKENS_FILE", "/x/tokens"},
                           {"LOCAL_REGISTRATION", "on"},
                           {"ADMIN_KEY", " key "},
                           {"PUBLIC_ELECTIONS", "FALSE"},
                           {"MAX_PUBLIC_ELECTIONS", " 5 "},
                           {"PUBLIC_ELECTION_REQUESTS_PER_MINUTE", "6"},
                           {"PUBLIC_ELECTION_WATCH_STREAMS_GLOBAL", "7"},
                           {"PUBLIC_ELECTION_WATCH_STREAMS_PER_CLIENT", "8"},
                           {"PUBLIC_ELECTION_WATCH_MAX_SECONDS", "9"}};
    const auto configuration = loadGood();
    EXPECT_EQ(configuration->text("server.bind"), "127.0.0.1:0");
    EXPECT_EQ(configuration->text("storage.database"), "/x/y.db");
    EXPECT_EQ(configuration->text("auth.static.tokens"), "a:1,\nb:2");
    EXPECT_EQ(configuration->text("auth.static.tokens_file"), "/x/tokens");
    EXPECT_TRUE(configuration->boolean("auth.local_registration"));
    EXPECT_EQ(configuration->text("auth.admin_key"), " key ");
    EXPECT_FALSE(configuration->boolean("elections.public"));
    EXPECT_EQ(configuration->integer("elections.max"), 5U);
    EXPECT_EQ(configuration->integer("elections.requests_per_minute"), 6U);
    EXPECT_EQ(configuration->integer("elections.watch.streams_global"), 7U);
    EXPECT_EQ(configuration->integer("elections.watch.streams_per_client"), 8U);
    EXPECT_EQ(configuration->integer("elections.watch.max_seconds"), 9U);
    EXPECT_EQ(configuration->origin("server.bind").place, "BIND_ADDR");
}

TEST_F(ConfigurationTest, WhatTheContractRefusesIsRefused)
{
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"STATIC_TOKENS", " "},
        {"STATIC_TOKENS_FILE", ""},
        {"ADMIN_KEY", ""},
        {"LOCAL_REGISTRATION", ""},
        {"PUBLIC_ELECTIONS", "maybe"},
        {"MAX_PUBLIC_ELECTIONS", "0"},
        {"MAX_PUBLIC_ELECTIONS", "-1"},
        {"PUBLIC_ELECTION_REQUESTS_PER_MINUTE", "4294967296"},
        {"PUBLIC_ELECTION_WATCH_MAX_SECONDS", "18446744073709551616"}};
    for (const auto& [variable, value] : wrong)
    {
        sources.environment = {{variable, value}};
        EXPECT_EQ(problems().size(), 1U) << variable << '=' << value;
    }
}

TEST_F(ConfigurationTest, OurOwnVariableOverrulesTheOlderOne)
{
    sources.environment = {{"BIND_ADDR", "a:1"}, {"OCTOSTORE_SERVER_BIND", "b:2"}};
    EXPECT_EQ(loadGood()->text("server.bind"), "b:2");
    EXPECT_THAT(warnings(),
                ElementsAre("BIND_ADDR: server.bind: is ignored, OCTOSTORE_SERVER_BIND is set"));
}

TEST_F(ConfigurationTest, UnknownVariablesOfOursAreWarnings)
{
    sources.environment = {{"OCTOSTORE_HTTP_THREAD", "1"},
                           {"OCTOSTORE_URL", "x"},
                           {"PATH", "x"},
                           {"OCTOSTORE_SOMETHING_ELSE", "x"}};
    loadGood();
    EXPECT_THAT(warnings(), ElementsAre("OCTOSTORE_HTTP_THREAD: is no known variable, did you mean "
                                        "OCTOSTORE_HTTP_THREADS?",
                                        "OCTOSTORE_SOMETHING_ELSE: is no known variable"));
}

TEST_F(ConfigurationTest, AFileWithTenMistakesReportsAllTen)
{
    directory.write("octostore.properties", "http.thread = 4\n"           // 1
                                            "server.bind\n"               // 2
                                            "http.threads = 4\n"          // fine
                                            "http.threads = 5\n"          // 4
                                            "http.body_max = 64KB\n"      // 5
                                            "http.request_timeout = 30\n" // 6
                                            "elections.max = 0\n"         // 7
                                            "elections.public = maybe\n"  // 8
                                            "log.level = verbos\n"        // 9
                                            "! old comment\n"             // 10
                                            "# fine\n"
                                            "plugins.enabled = a,,b\n" // 12
                                            "storage.database =\n");   // 13
    EXPECT_THAT(
        problems(),
        ElementsAre("octostore.properties:1: http.thread: is no known key, did you mean "
                    "http.threads?",
                    "octostore.properties:2: has no =; a line is `key = value`",
                    "octostore.properties:4: http.threads: is set in line 3 already",
                    "octostore.properties:5: http.body_max: must be a size (65536, 64KiB, 16MiB, "
                    "1GiB) from 1KiB to 16MiB",
                    "octostore.properties:6: http.request_timeout: must be a duration (500ms, "
                    "30s, 5m, 2h) from 1s to 1h",
                    "octostore.properties:7: elections.max: must be an integer of at least 1",
                    "octostore.properties:8: elections.public: must be true or false",
                    "octostore.properties:9: log.level: must be one of trace, debug, info, warn, "
                    "warning, error, off",
                    "octostore.properties:10: comments start with #, not with !",
                    "octostore.properties:12: plugins.enabled: has an empty element",
                    "octostore.properties:13: storage.database: is set but empty; it must be a "
                    "path"));
    const auto configuration = std::move(load().configuration);
    EXPECT_EQ(configuration->integer("http.threads"), 4U);
    EXPECT_EQ(configuration->bytes("http.body_max"), 65'536U) << "the default";
}

TEST_F(ConfigurationTest, MistakesOfAllSourcesAreReportedTogether)
{
    directory.write("octostore.properties", "x = 1\n");
    directory.write("conf.d/a.properties", "y = 1\n");
    sources.environment = {{"BIND_ADDR", ""}};
    sources.settings = {"z=1", "http.threads"};
    EXPECT_THAT(problems(), ElementsAre("octostore.properties:1: x: is no known key",
                                        "conf.d/a.properties:1: y: is no known key",
                                        "BIND_ADDR: server.bind: is set but empty; it must be text",
                                        "--set: z: is no known key", "--set: needs key=value"));
}

TEST_F(ConfigurationTest, TheFirstLookIgnoresKeysItDoesNotKnow)
{
    directory.write("octostore.properties", "some.plugins.key = 1\nplugins.enabled = a\n");
    sources.environment = {{"OCTOSTORE_SOME_PLUGINS_OTHER", "1"}};
    const LoadedConfiguration loaded = Configuration::load(table, sources, UnknownKeys::Ignore);
    EXPECT_THAT(texts(loaded.problems), IsEmpty());
    EXPECT_THAT(texts(loaded.warnings), IsEmpty());
    EXPECT_THAT(loaded.configuration->list("plugins.enabled"), ElementsAre("a"));
}

TEST_F(ConfigurationTest, FamiliesTakeAnyNameAndListIt)
{
    directory.write("octostore.properties", "auth.static.bob.token = t1\n"
                                            "auth.static.alice@x.token = t2\n"
                                            "auth.static.alice@x.role = admin\n"
                                            "auth.static.carol.namespace = team\n"
                                            "auth.static.tokens = d:t3\n");
    const auto configuration = loadGood();
    EXPECT_THAT(configuration->names("auth.static"), ElementsAre("alice@x", "bob", "carol"));
    EXPECT_EQ(configuration->text("auth.static.bob.token"), "t1");
    EXPECT_EQ(configuration->text("auth.static.bob.role"), "user") << "the default";
    EXPECT_EQ(configuration->text("auth.static.alice@x.role"), "admin");
    EXPECT_TRUE(configuration->isSet("auth.static.carol.namespace"));
    EXPECT_FALSE(configuration->isSet("auth.static.carol.token"));

    sources.settings = {"auth.static.*.role=admin", "auth.static..role=admin",
                        "auth.static.bob.role=root", "auth.static.bob.rol=user"};
    EXPECT_THAT(problems(),
                ElementsAre("--set: auth.static.*.role: is no known key, did you mean "
                            "auth.static.*.role?",
                            "--set: auth.static..role: is no known key, did you mean "
                            "auth.static.*.role?",
                            "--set: auth.static.bob.role: must be one of user, observer, admin",
                            "--set: auth.static.bob.rol: is no known key, did you mean "
                            "auth.static.*.role?"));
}

TEST_F(ConfigurationTest, EntriesShowEveryKeyButNoSecret)
{
    directory.write("octostore.properties",
                    "auth.admin_key = hush\nauth.static.bob.token = quiet\nhttp.threads = 4\n");
    const auto configuration = loadGood();
    std::map<std::string, std::string> shown;
    for (const Entry& entry : configuration->entries())
        shown[entry.key] = entry.shown;
    EXPECT_EQ(shown.at("auth.admin_key"), "***");
    EXPECT_EQ(shown.at("auth.static.bob.token"), "***");
    EXPECT_EQ(shown.at("auth.static.tokens"), "");
    EXPECT_EQ(shown.at("http.threads"), "4");
    EXPECT_EQ(shown.at("http.body_max"), "64KiB");
    EXPECT_EQ(shown.count("auth.static.*.token"), 0U);
    EXPECT_EQ(shown.size(), table.keys().size() - 3 + 1) << "three families, one member";
}

TEST_F(ConfigurationTest, ChangesAreThoseOfValuesNotOfPlaces)
{
    directory.write("octostore.properties",
                    "http.threads = 4\nlog.level = info\nauth.static.a.token = x\n");
    const auto before = loadGood();
    directory.write("octostore.properties",
                    "\nhttp.threads = 5\nelections.max = 9\nauth.static.b.token = x\n");
    const auto after = loadGood();
    EXPECT_THAT(
        after->changedFrom(*before),
        ElementsAre("auth.static.a.token", "auth.static.b.token", "elections.max", "http.threads"));
    EXPECT_THAT(after->changedFrom(*after), IsEmpty());
}

} // namespace
} // namespace octostore::config
