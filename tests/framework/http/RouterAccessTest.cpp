// SPDX-License-Identifier: MIT
// Goal: contract 1.12. Method: one table of credentials against one route of each access level.
#include "RouterFixture.h"

namespace octostore::http
{

class RouterAccessTest : public test::RouterFixture
{
protected:
    RouterAccessTest()
    {
        add(Method::Get, "/public");
        add(Method::Get, "/user", Access::User);
        add(Method::Get, "/observer", Access::Observer);
        add(Method::Get, "/admin", Access::Admin);
        add(Method::Post, "/user", Access::User, Body::Json);
        setup.authProviders = {&tokens};
        setup.adminKey = sha256("the-admin-key");
    }
};

TEST_F(RouterAccessTest, CredentialsOpenTheRoutesOfTheirRole)
{
    const std::string bearer = "authorization";
    const struct
    {
        std::vector<Header> headers;
        int user;
        int observer;
        int admin;
        const char* code; ///< of the 401s
    } cases[] = {
        {{}, 401, 401, 401, "authentication_required"},
        {{{bearer, "Bearer alice-token"}}, 200, 403, 403, ""},
        {{{bearer, "Bearer watcher-token"}}, 200, 200, 403, ""},
        {{{bearer, "Bearer root-token"}}, 200, 200, 200, ""},
        {{{bearer, "bearer alice-token"}}, 401, 401, 401, "authentication_required"},
        {{{bearer, "Bearer"}}, 401, 401, 401, "authentication_required"},
        {{{bearer, "Basic alice-token"}}, 401, 401, 401, "authentication_required"},
        {{{bearer, "Bearer alice-token\xc3\xa9"}}, 401, 401, 401, "authentication_required"},
        {{{bearer, "Bearer  alice-token"}}, 401, 401, 401, "authentication_failed"},
        {{{bearer, "Bearer nobody"}}, 401, 401, 401, "authentication_failed"},
        {{{bearer, "Bearer the-admin-key"}}, 401, 401, 401, "authentication_failed"},
        {{{bearer, "Bearer admin:the-admin-key"}}, 401, 200, 200, "authentication_failed"},
        {{{bearer, "Bearer admin:wrong"}}, 401, 401, 401, "authentication_failed"},
        {{{"X-Admin-Key", "the-admin-key"}}, 200, 200, 200, ""},
        {{{"X-OctoStore-Admin-Key", "the-admin-key"}}, 200, 200, 200, ""},
        {{{"X-Admin-Key", "wrong"}}, 401, 401, 401, "authentication_required"},
        {{{"X-Admin-Key", "wrong"}, {bearer, "Bearer alice-token"}}, 200, 403, 403, ""},
        {{{"X-Admin-Key", "wrong"}, {"X-OctoStore-Admin-Key", "the-admin-key"}},
         401,
         401,
         401,
         "authentication_required"},
        {{{"X-Admin-Key", "wrong"}, {bearer, "Bearer admin:the-admin-key"}},
         401,
         401,
         401,
         "authentication_failed"},
    };
    for (const auto& row : cases)
    {
        SCOPED_TRACE(row.headers.empty() ? "nothing" : row.headers.back().value);
        const std::pair<const char*, int> expected[] = {{"/public", 200},
                                                        {"/user", row.user},
                                                        {"/observer", row.observer},
                                                        {"/admin", row.admin}};
        for (const auto& [target, status] : expected)
        {
            const Response response = ask(request(Method::Get, target, row.headers));
            EXPECT_EQ(response.status, status) << target;
            if (status == 401)
            {
                EXPECT_EQ(wireNameOf(*response.error), row.code) << target;
            }
            EXPECT_EQ(response.headers.find("www-authenticate"), nullptr);
        }
    }
}

TEST_F(RouterAccessTest, TheHandlerLearnsWhoAsks)
{
    ask(request(Method::Get, "/user", {{"authorization", "Bearer alice-token"}}));
    ASSERT_TRUE(caller.has_value());
    EXPECT_EQ(caller->name, "alice");
    EXPECT_EQ(caller->credential, sha256("alice-token"));

    ask(request(Method::Get, "/user", {{"x-admin-key", "the-admin-key"}}));
    ASSERT_TRUE(caller.has_value());
    EXPECT_EQ(caller->name, "admin");
    EXPECT_EQ(caller->role, Role::Admin);
    EXPECT_TRUE(caller->principal.isNil());

    ask(request(Method::Get, "/public", {{"authorization", "Bearer alice-token"}}));
    EXPECT_FALSE(caller.has_value());
}

TEST_F(RouterAccessTest, WithoutAnAdminKeyNoKeyIsOne)
{
    setup.adminKey.reset();
    EXPECT_EQ(ask(request(Method::Get, "/admin", {{"x-admin-key", ""}})).status, 401);
    EXPECT_EQ(ask(request(Method::Get, "/admin", {{"authorization", "Bearer admin:"}})).status,
              401);
}

TEST_F(RouterAccessTest, TheCredentialIsJudgedBeforeTheBody)
{
    EXPECT_EQ(ask(request(Method::Post, "/user", {}, "no json")).status, 401);
    Request large = request(Method::Post, "/user");
    large.fault = Error{ErrorCode::PayloadTooLarge, "Too large."};
    EXPECT_EQ(ask(std::move(large)).status, 401);
}

} // namespace octostore::http
