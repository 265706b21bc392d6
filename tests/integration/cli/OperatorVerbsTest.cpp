// SPDX-License-Identifier: MIT
/// @file
/// Goal: the commands for webhooks, the journal and administration do what they say, print tables
/// for people and JSON for programs, and keep secrets off the terminal. Method: the program as a
/// process against the real server, and a receiver for what it delivers.
#include "ServedCliTest.h"

#include <gmock/gmock.h>

#include <sys/stat.h>

namespace octostore::test
{

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class OperatorVerbsTest : public ServedCliTest
{
protected:
    /// A webhook of alice for all her locks; its ID.
    std::string addWebhook()
    {
        const Ended added = run({"webhook", "add", _receiver.url() + "/hook", "--lock-pattern",
                                 "**", "--save", path("secret")});
        EXPECT_EQ(added.code, 0) << added.errors;
        return firstLine(added.output);
    }
    /// Every line must be a JSON object.
    static std::vector<std::string> jsonLines(const std::string& output)
    {
        std::vector<std::string> lines;
        std::istringstream text(output);
        for (std::string line; std::getline(text, line);)
        {
            EXPECT_TRUE(readJson(line)) << line;
            lines.push_back(line);
        }
        return lines;
    }

    ScriptedServer _receiver{[](const SeenRequest&) { return jsonReply("{}"); }};
};

TEST_F(OperatorVerbsTest, AWebhookIsAddedListedPingedRedeliveredAndRemoved)
{
    const std::string id = addWebhook();
    ASSERT_EQ(id.size(), 36U);
    struct stat saved
    {
    };
    ASSERT_EQ(::stat(path("secret").c_str(), &saved), 0);
    EXPECT_EQ(saved.st_mode & 0777, 0600U);
    EXPECT_THAT(read(path("secret")), StartsWith("whsec_"));

    EXPECT_THAT(run({"webhook", "list"}).output, StartsWith("ID "));
    EXPECT_THAT(run({"webhook", "list"}).output, HasSubstr(id));
    EXPECT_EQ(run({"webhook", "list"}, "bobs-token").output, "none\n");
    EXPECT_THAT(run({"webhook", "show", id}).output, HasSubstr("url: " + _receiver.url()));
    EXPECT_EQ(run({"webhook", "show", id}, "bobs-token").code, 64);

    const Ended ping = run({"webhook", "ping", id, "--json"});
    EXPECT_EQ(ping.code, 0) << ping.errors;
    EXPECT_THAT(ping.output, HasSubstr("\"delivered\":true"));
    EXPECT_EQ(_receiver.count("POST", "/hook"), 1U);

    ASSERT_EQ(run({"lock", "acquire", "a", "--save", path("lease")}).code, 0);
    const auto delivered = [&](std::size_t times)
    {
        for (int i = 0; i < 2'400 && _receiver.count("POST", "/hook") < times; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        return _receiver.count("POST", "/hook") >= times;
    };
    ASSERT_TRUE(delivered(2));
    const std::string event = _receiver.requests().back().headers.at("octostore-delivery-id");
    EXPECT_EQ(run({"webhook", "redeliver", id, event}).code, 0);
    EXPECT_TRUE(delivered(3));
    EXPECT_EQ(run({"webhook", "redeliver", id, "nothing"}).code, 64);

    EXPECT_EQ(run({"webhook", "remove", id}).code, 0);
    EXPECT_EQ(run({"webhook", "remove", id}).code, 64) << "it is gone";
}

TEST_F(OperatorVerbsTest, ARotatedSecretIsKeptAndNotShown)
{
    const std::string id = addWebhook();
    const std::string first = read(path("secret"));
    const Ended rotated =
        run({"webhook", "rotate-secret", id, "--grace", "1h", "--save", path("secret")});
    EXPECT_EQ(rotated.code, 0) << rotated.errors;
    const std::string second = read(path("secret"));
    EXPECT_NE(second, first);
    EXPECT_THAT(rotated.output, Not(HasSubstr("whsec_")));
    EXPECT_THAT(rotated.output, HasSubstr("previous_valid_until"));
    EXPECT_EQ(run({"webhook", "rotate-secret", id}).code, 64) << "where would the secret go?";
    EXPECT_EQ(read(path("secret")), second);
}

TEST_F(OperatorVerbsTest, TheJournalIsFilteredAndFollowed)
{
    ASSERT_EQ(run({"lock", "acquire", "a", "--save", path("lease")}).code, 0);
    const std::string room = firstLine(run({"election", "create"}).output);
    ASSERT_EQ(run({"election", "campaign", room, "--candidate", "x", "--save", path("won")}).code,
              0);

    // The journal may be a moment behind the answers.
    Ended all;
    for (int tries = 0; tries < 200 && all.output.find("leader_elected") == std::string::npos;
         ++tries)
        all = run({"events"}, "roots-token");
    EXPECT_EQ(all.code, 0) << all.errors;
    EXPECT_THAT(all.output, HasSubstr("lock.acquired a: nobody -> "));
    EXPECT_THAT(all.output, HasSubstr("election.leader_elected " + room));
    const auto elections =
        jsonLines(run({"events", "--type", "election.*", "--json"}, "roots-token").output);
    ASSERT_EQ(elections.size(), 1U);
    EXPECT_EQ(member(elections[0], "type"), "election.leader_elected");
    EXPECT_EQ(
        jsonLines(
            run({"events", "--resource", "lock:a", "--limit", "1", "--json"}, "roots-token").output)
            .size(),
        1U);
    EXPECT_EQ(run({"events", "--since", member(elections[0], "sequence"), "--type", "election.*"},
                  "roots-token")
                  .output,
              "");

    ClientProcess following(
        {"events", "--follow", "--since", member(elections[0], "sequence"), "--json"},
        {{"OCTOSTORE_URL", _url}, {"OCTOSTORE_TOKEN", "roots-token"}});
    ASSERT_EQ(run({"lock", "acquire", "b", "--save", path("later")}).code, 0);
    EXPECT_TRUE(following.waitForLine("\"lock.acquired\"")) << following.errors();
    following.signal(SIGINT);
    EXPECT_EQ(following.wait(), 130);
}

TEST_F(OperatorVerbsTest, AFollowerEndsWithItsReaderAlsoWhenNothingHappens)
{
    // From the start: the lock may be there before the stream is.
    ClientProcess following({"events", "--follow", "--since", "0"},
                            {{"OCTOSTORE_URL", _url}, {"OCTOSTORE_TOKEN", "roots-token"}});
    ASSERT_EQ(run({"lock", "acquire", "a", "--save", path("lease")}).code, 0);
    EXPECT_TRUE(following.waitForLine("lock.acquired")) << following.errors();
    following.closeOutput();
    EXPECT_EQ(following.wait(), 0);
}

TEST_F(OperatorVerbsTest, TheWholeJournalIsShownUnlessThereIsALimit)
{
    // More than fits on the largest page; a slow machine takes many rounds to make as much.
    std::vector<std::string> all;
    for (int round = 0; round < 100 && all.size() <= 1000; ++round)
    {
        ASSERT_EQ(run({"bench", "locks", "-c", "8", "--rate", "2000", "--duration", "1s"}).code, 0);
        all = jsonLines(run({"events", "--json"}, "roots-token").output);
    }
    ASSERT_GT(all.size(), 1000U);
    // What the journal has a moment later is shown as well, and then nothing more comes.
    std::string newer = "something";
    for (int tries = 0; tries < 200 && !newer.empty(); ++tries)
    {
        newer = run({"events", "--json", "--since", member(all.back(), "sequence")}, "roots-token")
                    .output;
        for (std::string& line : jsonLines(newer))
            all.push_back(std::move(line));
    }
    EXPECT_EQ(newer, "");
    EXPECT_EQ(jsonLines(run({"events", "--json"}, "roots-token").output), all);
    EXPECT_EQ(jsonLines(run({"events", "--json", "--limit", "5"}, "roots-token").output).size(),
              5U);
}

TEST_F(OperatorVerbsTest, AForcedEndNamesATermAndAReason)
{
    ASSERT_EQ(run({"lock", "acquire", "a", "--save", path("lease")}).code, 0);
    const std::string term = member(read(path("lease")), "term");
    const ClientProcess::Words force{"lock", "force-release", "a", "--reason", "stuck", "--term"};
    const auto with = [&](const std::string& number)
    {
        ClientProcess::Words words = force;
        words.push_back(number);
        return words;
    };
    EXPECT_EQ(run(with(term)).code, 64) << "alice is no administrator";
    EXPECT_EQ(run({"lock", "force-release", "a", "--term", term}, "roots-token").code, 64)
        << "there is no reason";
    EXPECT_EQ(run(with("999999"), "roots-token").code, 64) << "another term";
    EXPECT_EQ(run({"lock", "status", "a"}).code, 0) << "all that left it alone";
    EXPECT_EQ(run(with(term), "roots-token").code, 0);
    EXPECT_EQ(run({"lock", "status", "a"}).code, 1);
    EXPECT_EQ(run({"lock", "renew", "a", "--from", path("lease")}).code, 20);

    const std::string room = firstLine(run({"election", "create"}).output);
    ASSERT_EQ(run({"election", "campaign", room, "--candidate", "x", "--save", path("won")}).code,
              0);
    const std::string led = member(read(path("won")), "term");
    EXPECT_EQ(
        run({"election", "force-resign", room, "--reason", "stuck", "--term", led}, "roots-token")
            .code,
        0);
    EXPECT_EQ(run({"election", "status", room}).code, 1);
}

TEST_F(OperatorVerbsTest, TheStatusOfTheServerHasATableOfLocks)
{
    ASSERT_EQ(run({"lock", "acquire", "a", "--save", path("lease")}).code, 0);
    EXPECT_EQ(run({"admin", "status"}).code, 64) << "alice is no administrator";
    const Ended status = run({"admin", "status"}, "roots-token");
    EXPECT_EQ(status.code, 0) << status.errors;
    EXPECT_THAT(status.output, HasSubstr("NAME"));
    EXPECT_THAT(status.output, HasSubstr("alice"));
    EXPECT_EQ(jsonLines(run({"admin", "status", "--json"}, "roots-token").output).size(), 1U);
}

TEST_F(OperatorVerbsTest, ARegisteredTokenIsRotatedInItsFile)
{
    serve({{"auth.static.tokens", ""}, {"auth.local_registration", "true"}});
    const std::string command = "curl -sf --max-time 60 --json '{\"username\":\"dora\"}' " + _url +
                                "/auth/register > " + path("registered");
    ASSERT_EQ(std::system(command.c_str()), 0);
    const std::string first = member(read(path("registered")), "token");
    const std::string file = write("token", first + "\n");
    const ClientProcess::Variables variables{{"OCTOSTORE_URL", _url},
                                             {"OCTOSTORE_TOKEN_FILE", file}};
    ClientProcess rotate({"token", "rotate"}, variables);
    EXPECT_EQ(rotate.wait(), 0) << rotate.errors();
    const std::string second = firstLine(read(file));
    EXPECT_NE(second, first);
    EXPECT_THAT(rotate.output(), Not(HasSubstr(second)));
    EXPECT_EQ(run({"lock", "list"}, first).code, 64);
    EXPECT_EQ(run({"lock", "list"}, second).code, 0);
}

TEST_F(OperatorVerbsTest, WithJsonEveryOneShotPrintsOnlyJson)
{
    const std::string lease = path("lease"), won = path("won");
    const auto once = [&](ClientProcess::Words words, const std::string& token = "alices-token")
    {
        words.emplace_back("--json");
        const Ended ended = run(words, token);
        EXPECT_EQ(ended.code, 0) << words[0] << " " << words[1] << ended.errors;
        const auto lines = jsonLines(ended.output);
        EXPECT_EQ(lines.size(), 1U) << words[0] << " " << words[1];
        return lines.empty() ? std::string() : lines.front();
    };
    once({"lock", "acquire", "a", "--save", lease});
    once({"lock", "status", "a"});
    once({"lock", "list"});
    once({"lock", "renew", "a", "--from", lease});
    once({"lock", "release", "a", "--from", lease});
    const std::string room = member(once({"election", "create"}), "election_id");
    ASSERT_FALSE(room.empty());
    once({"election", "campaign", room, "--candidate", "x", "--save", won});
    once({"election", "status", room});
    once({"election", "renew", room, "--from", won});
    once({"election", "resign", room, "--from", won});
    const std::string session = member(once({"session", "create"}), "session_id");
    ASSERT_FALSE(session.empty());
    once({"session", "keepalive", session});
    once({"session", "show", session});
    const std::string hook =
        member(once({"webhook", "add", _receiver.url() + "/hook", "--save", path("secret")}), "id");
    ASSERT_FALSE(hook.empty());
    once({"webhook", "list"});
    once({"webhook", "show", hook});
    once({"webhook", "rotate-secret", hook, "--save", path("secret")});
    once({"webhook", "ping", hook});
    EXPECT_EQ(member(once({"webhook", "remove", hook}), "status"), "removed");
    EXPECT_EQ(member(once({"session", "end", session}), "session_id"), session);
    const auto force =
        [&](const char* kind, const char* verb, const std::string& name, const std::string& file)
    {
        once({kind, verb, name, "--reason", "stuck", "--term", member(read(file), "term")},
             "roots-token");
    };
    once({"lock", "acquire", "a", "--save", lease});
    force("lock", "force-release", "a", lease);
    once({"election", "campaign", room, "--candidate", "x", "--save", won});
    force("election", "force-resign", room, won);
    once({"admin", "status"}, "roots-token");
    once({"events", "--limit", "1"}, "roots-token");
    once({"backup", path("copy")}, "roots-token");
    once({"doctor"});
    const Ended config = run({"config", "print", "--json"});
    EXPECT_EQ(config.code, 0) << config.errors;
    EXPECT_GT(jsonLines(config.output).size(), 1U);
}

} // namespace octostore::test
