// SPDX-License-Identifier: MIT
// Goal: accounts of the real program - from the configuration, registered, rotated - may do what
// they should, also behind a restart.
// Method: the program with the configurations an operator would write.
#include "ServerTest.h"

namespace octostore::test
{
namespace
{

class AccessAccountsTest : public ServerTest
{
protected:
    static ServerProcess::Properties registering()
    {
        return {{"auth.static.tokens", ""}, {"auth.local_registration", "true"}};
    }
    ServerAnswer post(std::string_view token, const std::string& target,
                      const std::string& body = "{}") const
    {
        return expectAnswer(client(token).post(target, body));
    }
    ServerAnswer get(std::string_view token, const std::string& target) const
    {
        return expectAnswer(client(token).get(target));
    }
    ServerAnswer withHeaders(const std::string& method, const std::string& target,
                             std::map<std::string, std::string> headers) const
    {
        ServerQuestion question;
        question.method = method;
        question.target = target;
        question.headers = std::move(headers);
        return expectAnswer(client().ask(question));
    }
    /// Why the program did not start.
    int exitCodeWith(const ServerProcess::Properties& properties)
    {
        ServerProcess server(_directory.path(), properties);
        const int code = server.waitForEnd();
        _log = server.log();
        return code;
    }

    std::string _log;
};

TEST_F(AccessAccountsTest, AConfiguredAccountHasItsRoleAndItsNamespace)
{
    start({{"auth.static.tokens", ""},
           {"auth.static.spaced.token", "spaced-token"},
           {"auth.static.spaced.namespace", "team"},
           {"auth.static.watcher.token", "watcher-token"},
           {"auth.static.watcher.role", "observer"},
           {"auth.static.chief.token", "chief-token"},
           {"auth.static.chief.role", "admin"}});
    EXPECT_EQ(post("spaced-token", "/locks/team.a/acquire").status, 200);
    EXPECT_EQ(post("spaced-token", "/locks/other/acquire").status, 403);
    EXPECT_EQ(get("spaced-token", "/locks/other").status, 403);
    EXPECT_EQ(get("spaced-token", "/locks").text("prefix"), "team.");
    EXPECT_EQ(get("spaced-token", "/admin/accounts").status, 403);

    EXPECT_EQ(
        post("watcher-token", "/locks/other/acquire", R"({"acl":{"acquire":["user:watcher"]}})")
            .status,
        200);
    const ServerAnswer list = get("watcher-token", "/admin/accounts");
    EXPECT_EQ(list.status, 200);
    EXPECT_EQ(list.number("total"), 3);
    EXPECT_NE(list.body.find(R"("name":"spaced","identity_class":"static","role":"user",)"
                             R"("namespace":"team")"),
              std::string::npos)
        << list.body;

    EXPECT_EQ(post("spaced-token", "/locks/team.a/acquire").status, 200);
    EXPECT_EQ(post("chief-token", "/locks/other/acquire").text("status"), "held")
        << "an administrator passes access lists";
    const ServerAnswer rotated = post("chief-token", "/auth/token/rotate");
    EXPECT_EQ(rotated.status, 409);
    EXPECT_EQ(rotated.text("code"), "conflict");
}

TEST_F(AccessAccountsTest, TheAdminKeyOpensEveryRouteThatNeedsACredential)
{
    start({{"auth.admin_key", "the-admin-key"}});
    for (const char* header : {"X-Admin-Key", "X-OctoStore-Admin-Key"})
    {
        EXPECT_EQ(withHeaders("GET", "/locks", {{header, "the-admin-key"}}).status, 200);
        EXPECT_EQ(withHeaders("GET", "/admin/accounts", {{header, "the-admin-key"}}).status, 200);
    }
    EXPECT_EQ(get("admin:the-admin-key", "/admin/accounts").status, 200);
    EXPECT_EQ(get("admin:the-admin-key", "/locks").status, 401) << "only where it is declared";
    EXPECT_EQ(get("the-admin-key", "/locks").status, 401);
    EXPECT_EQ(withHeaders("GET", "/locks", {{"X-Admin-Key", "wrong"}}).status, 401);
    EXPECT_EQ(
        withHeaders("GET", "/locks",
                    {{"X-Admin-Key", "wrong"}, {"Authorization", "Bearer " + std::string(alice)}})
            .status,
        200);
    EXPECT_EQ(
        withHeaders("POST", "/auth/token/rotate", {{"X-Admin-Key", "the-admin-key"}}).text("code"),
        "authentication_required");
}

TEST_F(AccessAccountsTest, ARegisteredAccountAndItsNewTokenSurviveARestart)
{
    start(registering());
    const ServerAnswer made =
        post({}, "/auth/register", R"({"username":"Dora","namespace":"team"})");
    ASSERT_EQ(made.status, 200) << made.body;
    const std::string first = made.text("token");
    EXPECT_EQ(post(first, "/locks/team.a/acquire").text("status"), "acquired");
    EXPECT_EQ(post(first, "/locks/other/acquire").status, 403);
    const ServerAnswer rotated = post(first, "/auth/token/rotate");
    ASSERT_EQ(rotated.status, 200) << rotated.body;
    const std::string second = rotated.text("token");
    EXPECT_EQ(rotated.text("user_id"), made.text("user_id"));
    EXPECT_EQ(get(first, "/locks").status, 401);

    killServer();
    start(registering());
    EXPECT_EQ(get(first, "/locks").status, 401);
    EXPECT_EQ(post(second, "/locks/team.a/acquire").text("status"), "acquired")
        << "the lock is still its own";
    EXPECT_EQ(post({}, "/auth/register", R"({"username":"dora"})").status, 409);
    EXPECT_EQ(get({}, "/status").number("total_users"), 1);

    killServer();
    start(); // registration is off, static tokens are there: the stored account still works
    EXPECT_EQ(get(second, "/locks/team.a").status, 200);
    EXPECT_EQ(post({}, "/auth/register", R"({"username":"eve"})").status, 404);
}

TEST_F(AccessAccountsTest, RegistrationThatIsNotSafeKeepsTheProgramFromStarting)
{
    ServerProcess::Properties open = registering();
    open["server.bind"] = "0.0.0.0:0";
    EXPECT_EQ(exitCodeWith(open), 78);
    EXPECT_NE(_log.find("LOCAL_REGISTRATION"), std::string::npos) << _log;
    open["server.bind"] = "localhost:3000";
    EXPECT_EQ(exitCodeWith(open), 78);
    ServerProcess::Properties both = registering();
    both["auth.static.tokens"] = "alice:secret";
    EXPECT_EQ(exitCodeWith(both), 78);
    EXPECT_NE(_log.find("LOCAL_REGISTRATION"), std::string::npos) << _log;
    EXPECT_EQ(_log.find("secret"), std::string::npos);
}

TEST_F(AccessAccountsTest, BadStaticTokensKeepTheProgramFromStarting)
{
    EXPECT_EQ(exitCodeWith({{"auth.static.tokens", "a-bare-secret"}}), 78);
    EXPECT_EQ(_log.find("a-bare-secret"), std::string::npos) << _log;
    EXPECT_EQ(exitCodeWith({{"auth.admin_key", std::string(alice)}}), 78)
        << "the admin key is also a token";
}

} // namespace
} // namespace octostore::test
