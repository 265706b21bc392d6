// SPDX-License-Identifier: MIT
// Goal: administration over real sockets: a reload with who and why, and bodies of DELETE.
// Method: the real program; its configuration file is changed while it runs.
#include "ServerTest.h"

#include <fstream>

namespace octostore::test
{
namespace
{

class AdminTest : public ServerTest
{
protected:
    ServerAnswer ask(const std::string& method, const std::string& target,
                     std::optional<std::string> body = {}, const std::string& key = "first-key")
    {
        ServerQuestion question;
        question.method = method;
        question.target = target;
        question.body = std::move(body);
        question.headers = {{"X-Admin-Key", key}};
        return expectAnswer(client().ask(question));
    }
    /// The file of the admin key, which the configuration names.
    void writeKey(const std::string& key) { std::ofstream(keyFile()) << key; }
    std::string keyFile() const { return _directory.path() / "admin-key"; }
    void startWithKeyFile()
    {
        writeKey("first-key");
        start({{"auth.admin_key_file", keyFile()}});
    }
};

TEST_F(AdminTest, AReloadTakesANewAdminKeyAndTheOldOneStopsWorking)
{
    startWithKeyFile();
    ASSERT_EQ(ask("GET", "/admin/me").status, 200);
    writeKey("second-key");
    const ServerAnswer reloaded = ask("POST", "/admin/reload", R"({"reason":"rotated"})");
    EXPECT_EQ(reloaded.status, 200) << reloaded.body;
    EXPECT_EQ(ask("GET", "/admin/me").status, 401);
    EXPECT_EQ(ask("GET", "/admin/me", {}, "second-key").status, 200);
}

TEST_F(AdminTest, AConfigurationThatIsWrongIsNotTakenAndTheAnswerSaysWhy)
{
    startWithKeyFile();
    writeKey(std::string(alice));
    const ServerAnswer refused = ask("POST", "/admin/reload", R"({"reason":"rotated"})");
    EXPECT_EQ(refused.status, 409) << refused.body;
    EXPECT_NE(refused.body.find("ADMIN_KEY"), std::string::npos) << refused.body;
    EXPECT_EQ(refused.body.find(std::string(alice)), std::string::npos);
    EXPECT_EQ(ask("GET", "/admin/me").status, 200) << "everything is as before";
    EXPECT_EQ(expectAnswer(client(alice).get("/locks")).status, 200);
}

TEST_F(AdminTest, TheConfigurationIsShownWithoutSecrets)
{
    startWithKeyFile();
    const ServerAnswer shown = ask("GET", "/admin/config");
    EXPECT_EQ(shown.status, 200);
    EXPECT_NE(shown.body.find(R"("key":"storage.database")"), std::string::npos);
    for (const std::string_view secret : {std::string_view("first-key"), alice, bob})
        EXPECT_EQ(shown.body.find(secret), std::string::npos) << secret;
}

TEST_F(AdminTest, ASessionIsEndedWithAReasonInTheBodyOfDelete)
{
    startWithKeyFile();
    const ServerAnswer opened = expectAnswer(client(alice).post("/sessions", "{}"));
    const std::string target = "/admin/sessions/" + opened.text("session_id");
    EXPECT_EQ(ask("DELETE", target, "{}").status, 400);
    EXPECT_EQ(ask("DELETE", target, R"({"reason":"gone"})").status, 204);
    EXPECT_EQ(ask("GET", "/admin/sessions").number("total"), 0);
}

} // namespace
} // namespace octostore::test
