// SPDX-License-Identifier: MIT
// Goal: paths mean what contract 1.11 and 8.1 say. Method: one table of requests against the lock
// and election routes.
#include "RouterFixture.h"

namespace octostore::http
{

class RouterPathTest : public test::RouterFixture
{
protected:
    RouterPathTest()
    {
        add(Method::Get, "/");
        add(Method::Get, "/locks");
        add(Method::Get, "/locks/{name...}");
        add(Method::Post, "/locks/{name...}/acquire");
        add(Method::Post, "/locks/{name...}/release");
        add(Method::Put, "/locks/{name...}/acl");
        add(Method::Delete, "/locks/{name...}/acl");
        add(Method::Get, "/locks/{name...}/watch");
        add(Method::Post, "/elections");
        add(Method::Get, "/elections/{id}");
        add(Method::Post, "/elections/{id}/campaign");
        add(Method::Get, "/webhooks/{id}/deliveries/{delivery}");
        add(Method::Get, "/admin/locks");
        add(Method::Post, "/admin/locks/{name...}/force-release");
        add(Method::Get, "/admin/{page}");
    }
};

TEST_F(RouterPathTest, PathsLeadToTheRoutesOfTheContract)
{
    const struct
    {
        Method method;
        const char* target;
        int status;
        const char* route; ///< or what `allow` lists
        const char* value; ///< of `name` or `id`
    } cases[] = {
        {Method::Get, "/", 200, "GET /", ""},
        {Method::Get, "/locks", 200, "GET /locks", ""},
        {Method::Get, "/locks?prefix=a/b/acquire", 200, "GET /locks", ""},
        {Method::Get, "/locks/", 404, "", ""},
        {Method::Get, "/locks/x", 200, "GET /locks/{name...}", "x"},
        {Method::Get, "/locks/x/", 404, "", ""},
        {Method::Get, "/locks//", 404, "", ""},
        {Method::Post, "/locks//acquire", 200, "POST /locks/{name...}/acquire", ""},
        {Method::Post, "/locks/x/acquire", 200, "POST /locks/{name...}/acquire", "x"},
        {Method::Post, "/locks/x/acquire/", 404, "", ""},
        {Method::Get, "/locks/x/acquire", 405, "POST", ""},
        {Method::Get, "/locks/acquire", 200, "GET /locks/{name...}", "acquire"},
        {Method::Post, "/locks/acquire", 405, "GET,HEAD", ""},
        {Method::Post, "/locks/acquire/acquire", 200, "POST /locks/{name...}/acquire", "acquire"},
        {Method::Post, "/locks/x%2Facquire", 405, "GET,HEAD", ""},
        {Method::Get, "/locks/x%2Facquire", 200, "GET /locks/{name...}", "x/acquire"},
        {Method::Post, "/locks/x%2Facquire/acquire", 200, "POST /locks/{name...}/acquire",
         "x/acquire"},
        {Method::Get, "/locks/x/%61cquire", 200, "GET /locks/{name...}", "x/acquire"},
        {Method::Post, "/locks/x/%61cquire", 405, "GET,HEAD", ""},
        {Method::Post, "/locks/repos/acme/app/1842/acquire", 200, "POST /locks/{name...}/acquire",
         "repos/acme/app/1842"},
        {Method::Get, "/locks/repos%2Facme/app", 200, "GET /locks/{name...}", "repos/acme/app"},
        {Method::Get, "/locks/x/watch", 200, "GET /locks/{name...}/watch", "x"},
        {Method::Get, "/locks/x/acl", 405, "PUT,DELETE", ""},
        {Method::Post, "/locks/../acquire", 200, "POST /locks/{name...}/acquire", ".."},
        {Method::Get, "/locks/%252F", 200, "GET /locks/{name...}", "%2F"},
        {Method::Get, "/locks/a+b", 200, "GET /locks/{name...}", "a+b"},
        {Method::Get, "/locks/x%", 400, "", ""},
        {Method::Get, "/locks/x%4", 400, "", ""},
        {Method::Get, "/locks/x%zz", 400, "", ""},
        {Method::Get, "/locks/%ff", 400, "", ""},
        {Method::Get, "/locks/%C3%A9", 200, "GET /locks/{name...}", "\xc3\xa9"},
        {Method::Post, "/locks/a//b/acquire", 200, "POST /locks/{name...}/acquire", "a//b"},
        {Method::Get, "/elections/room", 200, "GET /elections/{id}", "room"},
        {Method::Head, "/elections/room", 200, "GET /elections/{id}", "room"},
        {Method::Get, "/elections/room/x", 404, "", ""},
        {Method::Get, "/elections", 405, "POST", ""},
        {Method::Head, "/elections", 405, "POST", ""},
        {Method::Other, "/elections", 405, "POST", ""},
        {Method::Get, "/webhooks/w/deliveries/d", 200, "GET /webhooks/{id}/deliveries/{delivery}",
         "w"},
        {Method::Get, "/admin/locks", 200, "GET /admin/locks", ""},
        {Method::Get, "/admin/queues", 200, "GET /admin/{page}", ""},
        {Method::Post, "/admin/locks/a/b/force-release", 200,
         "POST /admin/locks/{name...}/force-release", "a/b"},
        {Method::Get, "/nothing", 404, "", ""},
        {Method::Get, "//locks", 404, "", ""},
        {Method::Get, "/LOCKS", 404, "", ""},
        {Method::Get, "/lock%73", 404, "", ""},
    };
    for (const auto& row : cases)
    {
        SCOPED_TRACE(row.target);
        const Response response = ask(request(row.method, row.target));
        EXPECT_EQ(response.status, row.status);
        if (row.status == 405)
        {
            EXPECT_EQ(headerOf(response, "allow"), row.route);
        }
        if (row.status != 200)
            continue;
        EXPECT_EQ(served, row.route);
        if (served.find("{name...}") != std::string::npos)
        {
            EXPECT_EQ(exchange->parameter("name"), row.value);
        }
        if (served.find("{id}") != std::string::npos)
        {
            EXPECT_EQ(exchange->parameter("id"), row.value);
        }
    }
}

class RouterSetupTest : public test::RouterFixture
{
};

TEST_F(RouterSetupTest, RoutesThatContradictEachOtherAreRefused)
{
    const std::vector<std::vector<const char*>> bad = {
        {"/a", "/a"}, {"/a/{x}", "/a/{y}"}, {"a"},     {"/a/{x...}/b/{y...}"},
        {"/a/{x"},    {"/a/b{x}"},          {"/a/{}"}, {"/{x}"}};
    for (const auto& patterns : bad)
    {
        setup = {};
        for (const char* pattern : patterns)
            add(Method::Get, pattern);
        const auto opened = Router::open(std::move(setup), sink->logger("http"), clock);
        ASSERT_FALSE(opened.ok()) << patterns.back();
        EXPECT_EQ(opened.error().code, ErrorCode::Configuration);
    }
}

TEST_F(RouterSetupTest, NobodyDeclaresHeadOrOptions)
{
    for (const Method method : {Method::Head, Method::Options, Method::Other})
    {
        setup = {};
        add(method, "/a");
        EXPECT_FALSE(Router::open(std::move(setup), sink->logger("http"), clock).ok());
    }
}

} // namespace octostore::http
