// SPDX-License-Identifier: MIT
// What is refused in the same way wherever it is described, and what is refused for a value, a
// limit or the configuration.
#include "Conversation.h"

#include <utility>
#include <vector>

#include <sys/resource.h>

namespace octostore::test
{

namespace
{

constexpr const char* nobody = "Authorization: Bearer nobody\r\n";
constexpr const char* unknownId = "00000000-0000-4000-8000-000000000000";

using Targets = std::vector<std::pair<std::string, std::string>>; ///< operation, target

/// Of operations without a body, which are refused for what stands in the target.
const Targets badTargets = {
    {"GET /elections/{id}", "/elections/short"},
    {"GET /elections/{id}/fence", "/elections/nightly-jobs/fence"},
    {"GET /elections/{id}/watch", "/elections/short/watch"},
    {"GET /locks", "/locks?limit=0"},
    {"GET /locks/{name}", "/locks/a%21"},
    {"GET /locks/{name}/fence", "/locks/a/fence?term=x"},
    {"GET /locks/{name}/watch", "/locks/a%21/watch"},
    {"DELETE /locks/{name}/acl", "/locks/a%21/acl"},
    {"GET /sessions/{id}", "/sessions/x"},
    {"DELETE /sessions/{id}", "/sessions/x"},
    {"POST /sessions/{id}/keepalive", "/sessions/x/keepalive"},
    {"GET /events", "/events?limit=0"},
    {"GET /webhooks", "/webhooks?all=%zz"},
    {"GET /webhooks/{id}", "/webhooks/x"},
    {"DELETE /webhooks/{id}", "/webhooks/x"},
    {"POST /webhooks/{id}/ping", "/webhooks/x/ping"},
    {"GET /webhooks/{id}/deliveries", "/webhooks/x/deliveries"},
    {"GET /webhooks/{id}/deliveries/{delivery_id}", "/webhooks/x/deliveries/y"},
    {"POST /webhooks/{id}/deliveries/{delivery_id}/redeliver",
     "/webhooks/x/deliveries/y/redeliver"},
    {"GET /admin/locks", "/admin/locks?limit=0"},
    {"GET /admin/elections", "/admin/elections?sort=x"},
    {"GET /admin/sessions", "/admin/sessions?limit=1001"},
    {"GET /admin/accounts", "/admin/accounts?sort="},
    {"GET /admin/servers", "/admin/servers?limit=x"},
    {"GET /admin/queues", "/admin/queues"},
    {"GET /admin/metrics/timeseries", "/admin/metrics/timeseries?window=1y"},
    {"GET /admin/metrics/timeseries", "/admin/metrics/timeseries?range=1y"},
    {"GET /admin/metrics/timeseries", "/admin/metrics/timeseries?range=1h&window=1h"},
    {"GET /livez/{check}", "/livez/%ff"},
    {"GET /readyz/{check}", "/readyz/%ff"},
};

/// A lock name that is kept for rooms.
const Targets reserved = {
    {"GET /locks/{name}", "/locks/__election%2Fnightly-jobs"},
    {"POST /locks/{name}/acquire", "/locks/__election%2Fnightly-jobs/acquire"},
    {"POST /locks/{name}/renew", "/locks/__election%2Fnightly-jobs/renew"},
    {"POST /locks/{name}/release", "/locks/__election%2Fnightly-jobs/release"},
    {"GET /locks/{name}/fence", "/locks/__election%2Fnightly-jobs/fence?term=1"},
    {"GET /locks/{name}/watch", "/locks/__election%2Fnightly-jobs/watch"},
};

/// What nobody has made.
const Targets missing = {
    {"POST /elections/{id}/renew", "/elections/nobody-leads/renew"},
    {"POST /elections/{id}/resign", "/elections/nobody-leads/resign"},
    {"POST /locks/{name}/renew", "/locks/nobody/renew"},
    {"POST /locks/{name}/release", "/locks/nobody/release"},
    {"PUT /locks/{name}/acl", "/locks/nobody/acl"},
    {"DELETE /locks/{name}/acl", "/locks/nobody/acl"},
    {"GET /livez/{check}", "/livez/nothing"},
    {"GET /readyz/{check}", "/readyz/nothing"},
    {"POST /auth/register", "/auth/register"},
};

} // namespace

void Conversation::refuseBodies(DescribedServer& server)
{
    for (const Operation& operation : _description.operations())
    {
        const std::string name = operation.name();
        const std::string target = operation.exampleTarget();
        if (name == "POST /auth/register")
            continue; // where it is on, see below
        // It is refused for what its head says; nothing more need be sent.
        if (operation.describes(413))
            ask(server, name, target, 413, _admin + "Content-Length: 70000\r\n");
        if (operation.body == nullptr)
            continue;
        if (operation.describes(415))
            ask(server, name, target, 415, _admin + "Content-Type: text/plain\r\n", "{}");
        if (operation.describes(422))
            ask(server, name, target, 422, _admin, "[]");
        // Without 422 any bytes are taken: only a reason that can be read is looked at.
        if (operation.describes(400) && operation.describes(422))
            ask(server, name, target, 400, _admin, "{");
    }
}

void Conversation::refuseCredentials(DescribedServer& server)
{
    for (const Operation& operation : _description.operations())
    {
        if (!operation.secured())
            continue;
        const std::string target = operation.exampleTarget();
        ask(server, operation.name(), target, 401);
        const bool forAdministrators =
            operation.path.find("/admin") == 0 || operation.path.find("/metrics") == 0;
        if (forAdministrators)
            ask(server, operation.name(), target, 403, _alice);
    }
}

void Conversation::refuseValues(DescribedServer& server)
{
    for (const auto& [name, target] : badTargets)
        ask(server, name, target, 400, _admin);
    for (const auto& [name, target] : reserved)
        ask(server, name, target, 403, _admin, _description.operation(name).exampleBody());
    ask(server, "GET /locks", "/locks?prefix=other.", 403, _team);
    ask(server, "GET /events", "/events?resource=election:nightly*", 403, _alice);
    ask(server, "POST /locks/{name}/acquire", "/locks/kept/acquire", 200, _alice,
        R"({"acl":{"acquire":["user:alice"]}})");
    ask(server, "PUT /locks/{name}/acl", "/locks/kept/acl", 403, _bob,
        R"({"acl":{"acquire":["user:bob"]}})");
    ask(server, "DELETE /locks/{name}/acl", "/locks/kept/acl", 403, _bob);
}

void Conversation::refuseWhatIsNotThere(DescribedServer& server)
{
    for (const auto& [name, target] : missing)
        ask(server, name, target, 404, _alice, _description.operation(name).exampleBody());
    for (const Operation& operation : _description.operations())
    {
        const bool ofAnId = operation.path.find("/sessions/{id}") != std::string::npos ||
                            operation.path.find("/webhooks/{id}") == 0;
        if (ofAnId && operation.describes(404))
            ask(server, operation.name(), operation.exampleTarget(), 404, _admin,
                operation.exampleBody());
    }
    ask(server, "POST /locks/{name}/acquire", "/locks/sessionless/acquire", 404, _alice,
        std::string(R"({"session_id":")") + unknownId + "\"}");
}

void Conversation::refuseWhereElectionsAreOff()
{
    DescribedServer server(ServerProcess::Properties{{"elections.public", "false"}});
    for (const Operation& operation : _description.operations())
        if (operation.path.find("/elections") == 0)
            ask(server, operation.name(), operation.exampleTarget(), 403, "",
                operation.exampleBody());
}

void Conversation::refuseWhatIsTooMuch()
{
    DescribedServer server({{"elections.requests_per_minute", "2"},
                            {"elections.max", "1"},
                            {"elections.watch.streams_per_client", "1"},
                            {"sessions.per_principal_max", "1"},
                            {"auth.failures_per_minute", "1"}});
    const std::string campaign = "POST /elections/{id}/campaign";
    ask(server, campaign, "/elections/first-room/campaign", 200, "", R"({"candidate_id":"a"})");
    ask(server, campaign, "/elections/other-room/campaign", 409, "", R"({"candidate_id":"a"})");
    ask(server, campaign, "/elections/other-room/campaign", 429, "", R"({"candidate_id":"a"})");
    ask(server, "POST /elections", "/elections", 429);

    const Operation& watch = _description.operation("GET /elections/{id}/watch");
    const std::string request = requestOf(watch, "/elections/first-room/watch", "", "");
    HttpClient first(server.port());
    ASSERT_TRUE(DescribedServer::sendOn(first, request));
    ask(server, watch.name(), "/elections/first-room/watch", 429);

    ask(server, "POST /sessions", "/sessions", 201, _alice, "{}");
    ask(server, "POST /sessions", "/sessions", 409, _alice, "{}");

    ask(server, "GET /locks", "/locks", 401, nobody); // the one guess a minute
    for (const Operation& operation : _description.operations())
        if (operation.secured())
            ask(server, operation.name(), operation.exampleTarget(), 429, nobody);
}

void Conversation::registerAnAccount()
{
    DescribedServer server({{"auth.local_registration", "true"}, {"auth.static.tokens", ""}});
    const std::string account = R"({"username":"zoe"})";
    const auto zoe = ask(server, "POST /auth/register", "/auth/register", 200, "", account);
    ask(server, "POST /auth/register", "/auth/register", 409, "", account);
    ask(server, "POST /auth/register", "/auth/register", 400, "", "{");
    ask(server, "POST /auth/register", "/auth/register", 422, "", "{}");
    ask(server, "POST /auth/register", "/auth/register", 415, "Content-Type: text/plain\r\n", "x");
    ask(server, "POST /auth/register", "/auth/register", 413, "Content-Length: 70000\r\n");
    const std::string bearer = "Authorization: Bearer " + textOf(zoe, "token") + "\r\n";
    ask(server, "POST /auth/token/rotate", "/auth/token/rotate", 400, _admin + bearer,
        R"({"reason":""})");
    ask(server, "POST /auth/token/rotate", "/auth/token/rotate", 200, bearer);
}

void Conversation::refuseACopyThatDoesNotFit()
{
    DescribedServer server;
    // The journal of a backup would be written after the copy, which is refused first.
    rlimit limits = {};
    ASSERT_EQ(::prlimit(server.pid(), RLIMIT_FSIZE, nullptr, &limits), 0);
    limits.rlim_cur = 1;
    ASSERT_EQ(::prlimit(server.pid(), RLIMIT_FSIZE, &limits, nullptr), 0);
    ask(server, "POST /admin/backup", "/admin/backup", 503, _admin, "{}");
}

void Conversation::tellWhatIsKnown(DescribedServer& server)
{
    for (const Operation& operation : _description.operations())
    {
        if (!operation.describes(304))
            continue;
        const std::string target = operation.path == "/admin/queues"
                                       ? "/admin/queues?name=repos/acme/app"
                                       : operation.exampleTarget();
        const auto first = server.send(requestOf(operation, target, _admin, ""));
        ASSERT_TRUE(first) << operation.name();
        const std::string tag = first->header("etag");
        EXPECT_NE(tag, "") << operation.name();
        ask(server, operation.name(), target, 304, _admin + "If-None-Match: " + tag + "\r\n");
    }
}

} // namespace octostore::test
