// SPDX-License-Identifier: MIT
// Goal: no route lets anybody in that it should not, and no route is forgotten.
// Method: every plugin there is is loaded as the server does it; each route gets a handler that
// only says that it was reached, and is asked with every kind of credential. What each route needs
// stands in the table below: a route that is not there fails the test until somebody has thought
// about who may use it.
#include "support/PluginServer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace octostore::test
{
namespace
{

using http::Access;
using http::Role;

/// What every route needs.
const std::map<std::string, Access> table = {
    {"GET /health", Access::Public},
    {"GET /livez", Access::Public},
    {"GET /livez/{check}", Access::Public},
    {"GET /readyz", Access::Public},
    {"GET /readyz/{check}", Access::Public},
    {"GET /status", Access::Public},

    {"POST /elections", Access::Public},
    {"GET /elections/{id}", Access::Public},
    {"POST /elections/{id}/campaign", Access::Public},
    {"POST /elections/{id}/renew", Access::Public},
    {"POST /elections/{id}/resign", Access::Public},
    {"GET /elections/{id}/fence", Access::Public},
    {"GET /elections/{id}/watch", Access::Public},

    {"GET /locks", Access::User},
    {"GET /locks/{name...}", Access::User},
    {"POST /locks/{name...}/acquire", Access::User},
    {"POST /locks/{name...}/renew", Access::User},
    {"POST /locks/{name...}/release", Access::User},
    {"GET /locks/{name...}/fence", Access::User},
    {"GET /locks/{name...}/watch", Access::User},
    {"GET /events", Access::User},
    {"PUT /locks/{name...}/acl", Access::User},
    {"DELETE /locks/{name...}/acl", Access::User},

    {"POST /sessions", Access::User},
    {"GET /sessions/{id}", Access::User},
    {"DELETE /sessions/{id}", Access::User},
    {"POST /sessions/{id}/keepalive", Access::User},

    {"GET /webhooks", Access::User},
    {"POST /webhooks", Access::User},
    {"GET /webhooks/{id}", Access::User},
    {"PATCH /webhooks/{id}", Access::User},
    {"DELETE /webhooks/{id}", Access::User},
    {"POST /webhooks/{id}/ping", Access::User},
    {"POST /webhooks/{id}/rotate-secret", Access::User},
    {"POST /webhooks/{id}/recover", Access::User},
    {"GET /webhooks/{id}/deliveries", Access::User},
    {"GET /webhooks/{id}/deliveries/{delivery_id}", Access::User},
    {"POST /webhooks/{id}/deliveries/{delivery_id}/redeliver", Access::User},

    {"POST /auth/register", Access::Public},
    {"POST /auth/token/rotate", Access::User},

    {"GET /admin/accounts", Access::Observer},
    {"GET /admin/config", Access::Observer},
    {"GET /admin/elections", Access::Observer},
    {"GET /admin/locks", Access::Observer},
    {"GET /admin/me", Access::Observer},
    {"GET /admin/plugins", Access::Observer},
    {"GET /admin/queues", Access::Observer},
    {"GET /admin/servers", Access::Observer},
    {"GET /admin/sessions", Access::Observer},
    {"GET /admin/status", Access::Observer},
    {"DELETE /admin/sessions/{id}", Access::Admin},
    {"POST /admin/backup", Access::Admin},
    {"POST /admin/elections/{id}/force-resign", Access::Admin},
    {"POST /admin/locks/{name...}/force-release", Access::Admin},
    {"POST /admin/reload", Access::Admin},

    {"GET /metrics", Access::Observer},
    {"GET /metrics/prometheus", Access::Observer},
    {"GET /admin/metrics/timeseries", Access::Observer},

    {"GET /", Access::Public},
    {"GET /admin", Access::Public},
    {"GET /admin/", Access::Public},
    {"GET /docs", Access::Public},
    {"GET /docs/index.css", Access::Public},
    {"GET /docs/docs.css", Access::Public},
    {"GET /docs/init.js", Access::Public},
    {"GET /docs/swagger-ui-bundle.js", Access::Public},
    {"GET /docs/swagger-ui.css", Access::Public},
    {"GET /docs/licences.txt", Access::Public},
    {"GET /openapi.yaml", Access::Public},
    {"GET /openapi.json", Access::Public},
};

constexpr std::string_view adminKey = "the-admin-key";

/// What the one who asks gets to hear before any handler.
enum class Verdict
{
    Reached,
    Required,  ///< 401 authentication_required
    Failed,    ///< 401 authentication_failed
    Forbidden, ///< 403
};

std::ostream& operator<<(std::ostream& out, Verdict verdict)
{
    switch (verdict)
    {
    case Verdict::Reached:
        return out << "reached";
    case Verdict::Required:
        return out << "authentication_required";
    case Verdict::Failed:
        return out << "authentication_failed";
    case Verdict::Forbidden:
        break;
    }
    return out << "forbidden";
}

/// One way to come, and what it is worth on routes that need the credential of a user, an observer,
/// an administrator.
struct Credential
{
    const char* what;
    std::vector<http::Header> headers;
    Verdict user;
    Verdict observer;
    Verdict admin;

    Verdict on(Access access) const
    {
        switch (access)
        {
        case Access::User:
            return user;
        case Access::Observer:
            return observer;
        case Access::Admin:
            return admin;
        case Access::Public:
            break;
        }
        return Verdict::Reached;
    }
};

std::vector<Credential> credentials()
{
    using enum Verdict;
    const std::string key(adminKey);
    const http::Header userToken{"Authorization", "Bearer user-token"};
    return {
        {"nothing", {}, Required, Required, Required},
        {"another scheme", {{"Authorization", "Basic dXNlcg=="}}, Required, Required, Required},
        {"another case", {{"Authorization", "bearer user-token"}}, Required, Required, Required},
        {"an unknown token", {{"Authorization", "Bearer nobody"}}, Failed, Failed, Failed},
        {"a token with a blank in front",
         {{"Authorization", "Bearer  user-token"}},
         Failed,
         Failed,
         Failed},
        {"a user", {userToken}, Reached, Forbidden, Forbidden},
        {"a user with a namespace",
         {{"Authorization", "Bearer spaced-token"}},
         Reached,
         Forbidden,
         Forbidden},
        {"an observer", {{"Authorization", "Bearer observer-token"}}, Reached, Reached, Forbidden},
        {"an administrator", {{"Authorization", "Bearer admin-token"}}, Reached, Reached, Reached},
        {"the admin key", {{"X-Admin-Key", key}}, Reached, Reached, Reached},
        {"the admin key by its other name",
         {{"X-OctoStore-Admin-Key", key}},
         Reached,
         Reached,
         Reached},
        {"a wrong admin key", {{"X-Admin-Key", "wrong"}}, Required, Required, Required},
        {"a wrong admin key before the right one",
         {{"X-Admin-Key", "wrong"}, {"X-OctoStore-Admin-Key", key}},
         Required,
         Required,
         Required},
        {"a wrong admin key and a user",
         {{"X-Admin-Key", "wrong"}, userToken},
         Reached,
         Forbidden,
         Forbidden},
        {"the admin key and an unknown token",
         {{"X-Admin-Key", key}, {"Authorization", "Bearer nobody"}},
         Reached,
         Reached,
         Reached},
        {"the admin key as a token", {{"Authorization", "Bearer " + key}}, Failed, Failed, Failed},
        {"admin:<key>", {{"Authorization", "Bearer admin:" + key}}, Failed, Reached, Reached},
        {"admin:<wrong key>", {{"Authorization", "Bearer admin:wrong"}}, Failed, Failed, Failed},
        {"admin:<key> beside a wrong admin key",
         {{"X-Admin-Key", "wrong"}, {"Authorization", "Bearer admin:" + key}},
         Failed,
         Failed,
         Failed},
    };
}

/// A file that a page needs, or an address that only leads to another.
bool isPartOfAPage(const std::string& name)
{
    const std::string file = name.substr(name.rfind('/') + 1);
    const std::size_t dot = file.rfind('.');
    return dot != std::string::npos && file.substr(0, dot) != "openapi";
}

class AccessTest : public testing::Test
{
protected:
    AccessTest()
    {
        server.accounts.add("user-token", "user");
        server.accounts.add("spaced-token", "spaced", Role::User, "team");
        server.accounts.add("observer-token", "observer", Role::Observer);
        server.accounts.add("admin-token", "administrator", Role::Admin);
    }

    static std::string nameOf(const http::Route& route)
    {
        return std::string(http::methodName(route.method)) + " " + route.pattern;
    }
    /// A path the pattern fits.
    static std::string pathOf(const http::Route& route)
    {
        std::string path = route.pattern;
        for (auto open = path.find('{'); open != std::string::npos; open = path.find('{'))
            path.replace(open, path.find('}') - open + 1, "team.x");
        return path;
    }

    static Verdict verdictOf(const http::Response& response)
    {
        if (response.body == "reached")
            return Verdict::Reached;
        const std::string code = *jsonOf(response).at("code").asString();
        if (response.status == 401 && code == "authentication_required")
            return Verdict::Required;
        if (response.status == 401 && code == "authentication_failed")
            return Verdict::Failed;
        EXPECT_EQ(response.status, 403) << response.body;
        EXPECT_EQ(code, "forbidden");
        return Verdict::Forbidden;
    }

private:
    PluginServer _plugins;

protected:
    InProcessServer& server = _plugins.server();
};

TEST_F(AccessTest, EveryRouteIsInTheTableAndNeedsWhatStandsThere)
{
    std::map<std::string, Access> there;
    for (const http::Route& route : server.routes())
    {
        EXPECT_TRUE(there.emplace(nameOf(route), route.access).second) << nameOf(route);
        const auto known = table.find(nameOf(route));
        // Names of files change with their content.
        if (known == table.end() && isPartOfAPage(nameOf(route)))
        {
            EXPECT_EQ(route.access, Access::Public) << nameOf(route);
            continue;
        }
        ASSERT_NE(known, table.end())
            << nameOf(route) << ": decide who may use this route, and write it into the table";
        EXPECT_EQ(known->second, route.access) << nameOf(route);
    }
    for (const auto& [name, access] : table)
        EXPECT_EQ(there.count(name), 1U) << name << " is in the table, but no plugin serves it";
}

/// Parameters may have any name: `GET /sessions/{}`.
std::string withoutParameters(std::string name)
{
    for (auto open = name.find('{'); open != std::string::npos; open = name.find('{', open + 1))
        name.erase(open + 1, name.find('}', open) - open - 1);
    return name;
}

/// The paths of the description with their methods, as routes are written.
std::set<std::string> describedRoutes()
{
    std::ifstream file(OCTOSTORE_OPENAPI_JSON);
    std::stringstream text;
    text << file.rdbuf();
    const auto description = readJson(text.str());
    EXPECT_TRUE(description) << OCTOSTORE_OPENAPI_JSON;
    std::set<std::string> described;
    for (const auto& [path, item] : *description->at("paths").asObject())
        for (const auto& [method, operation] : *item.asObject())
        {
            if (method == "parameters")
                continue;
            std::string upper = method;
            for (char& letter : upper)
                letter = static_cast<char>(letter - 'a' + 'A');
            described.insert(withoutParameters(upper + " " + path));
        }
    return described;
}

/// Of a plugin that is described and may not be built.
bool isOfAMissingPlugin(const std::string& name)
{
    const std::map<std::string, std::string> parts = {{" /webhooks", "webhooks"},
                                                      {" /admin/", "admin-ui"}};
    for (const auto& [path, plugin] : parts)
    {
        const auto file = std::filesystem::path(OCTOSTORE_PLUGIN_DIRECTORY) / (plugin + ".so");
        if (name.find(path) != std::string::npos && !std::filesystem::exists(file))
            return true;
    }
    return false;
}

TEST_F(AccessTest, EveryRouteIsDescribedAndNothingElse)
{
    const std::set<std::string> described = describedRoutes();
    std::set<std::string> served;
    for (const http::Route& route : server.routes())
    {
        const std::string name = withoutParameters(nameOf(route));
        served.insert(name);
        EXPECT_TRUE(described.count(name) == 1 || isPartOfAPage(name))
            << name << " is not in docs/openapi/openapi.yaml";
    }
    for (const std::string& name : described)
        EXPECT_TRUE(served.count(name) == 1 || isOfAMissingPlugin(name))
            << name << " is described, but no plugin serves it";
}

TEST_F(AccessTest, EveryKindOfCredentialIsWorthWhatItShouldBeOnEveryRoute)
{
    std::vector<http::Route> all = server.routes();
    for (http::Route& route : all)
    {
        route.body = http::Body::Ignored;
        route.handler = [](const http::ExchangePtr& exchange)
        {
            http::Response response;
            response.body = "reached";
            exchange->respond(std::move(response));
        };
    }
    server.open(all, adminKey);
    for (const http::Route& route : all)
        for (const Credential& credential : credentials())
        {
            const auto known = table.find(nameOf(route));
            const Access unknown = isPartOfAPage(nameOf(route)) ? Access::Public : Access::Admin;
            const Access access = known == table.end() ? unknown : known->second;
            const http::Response response =
                server.ask({route.method, pathOf(route), credential.headers, {}});
            EXPECT_EQ(verdictOf(response), credential.on(access))
                << nameOf(route) << " with " << credential.what;
        }
}

} // namespace
} // namespace octostore::test
