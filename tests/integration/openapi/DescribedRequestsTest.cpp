// SPDX-License-Identifier: MIT
// Goal: whatever a client sends, the server answers as docs/openapi/openapi.yaml says.
// Method: many requests made from the description - right, slightly wrong and absurd - are sent to
// the real program. No answer may be a 5xx, have a status that is not described for its operation,
// or a body that breaks its schema. The seed is printed; OCTOSTORE_TEST_SEED repeats a run.
#include "ApiDescription.h"
#include "DescribedServer.h"
#include "RequestMaker.h"
#include "support/TestSeed.h"

#include <octostore/plugin/AbiTag.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::test
{
namespace
{

constexpr std::size_t usualRequests = 20'000;
/// Of the answers that are described; a fifth of the usual requests sees more.
constexpr std::size_t differentAnswersMin = 220;

std::size_t requestsOfThisRun()
{
    const char* given = std::getenv("OCTOSTORE_TEST_REQUESTS");
    if (given != nullptr)
        return std::stoull(given);
    // A sanitized server is ten times slower; the requests it gets find the same.
    return std::string_view(OCTOSTORE_SANITIZER_TAG) == "none" ? usualRequests : 4'000;
}

/// Streams, copies and large documents: now and then is enough.
bool isCostly(const Operation& operation)
{
    for (const char* part : {"/admin/backup", "/admin/reload", "/docs", "/openapi", "/ping"})
        if (operation.path.find(part) != std::string::npos)
            return true;
    return operation.streams();
}

/// What needs an account of the store, which this server has not, or two IDs that belong together.
bool isBeyondReach(const Operation& operation)
{
    for (const char* part : {"/auth/", "/{delivery_id}"})
        if (operation.path.find(part) != std::string::npos)
            return true;
    return false;
}

class DescribedRequestsTest : public testing::Test
{
protected:
    std::optional<HttpResponse> send(const std::string& request) { return _server.send(request); }
    bool serves(const std::string& path)
    {
        const auto answer = send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
        EXPECT_TRUE(answer) << path;
        return answer && answer->status != 404;
    }
    /// Those of plugins that are there: one that failed or is not built serves nothing.
    std::vector<Operation> servedOperations()
    {
        const bool webhooks = serves("/webhooks");
        const bool console = serves("/admin/");
        std::vector<Operation> served;
        for (const Operation& operation : _description.operations())
        {
            const bool isWebhook = operation.path.find("/webhooks") == 0;
            const bool isConsole = operation.path == "/admin" || operation.path == "/admin/";
            if ((webhooks || !isWebhook) && (console || !isConsole))
                served.push_back(operation);
        }
        return served;
    }

    /// As many requests as this must come as far as this.
    void expectReach(const std::vector<Operation>& operations, std::size_t requests)
    {
        const std::size_t seen = _description.documented() - _description.unseen().size();
        if (requests >= 4'000)
        {
            EXPECT_GE(seen, differentAnswersMin);
        }
        if (requests < usualRequests)
            return;
        for (const Operation& operation : operations)
            EXPECT_TRUE(isCostly(operation) || isBeyondReach(operation) ||
                        _description.hasSucceeded(operation))
                << operation.name();
    }

    ApiDescription _description;

private:
    DescribedServer _server;
};

TEST_F(DescribedRequestsTest, EveryAnswerIsAsDescribed)
{
    const std::uint64_t seed = testSeed();
    const std::size_t requests = requestsOfThisRun();
    RequestMaker maker(_description, seed);
    constexpr std::size_t goodCredentials = 3;
    const std::vector<Operation> operations = servedOperations();

    for (std::size_t sent = 0; sent < requests; ++sent)
    {
        const Operation& operation = operations[maker.number(operations.size() - 1)];
        if (isCostly(operation) && maker.number(29) != 0)
        {
            --sent;
            continue;
        }
        const std::string request = maker.make(operation, goodCredentials);
        const std::optional<HttpResponse> answer = send(request);
        ASSERT_TRUE(answer) << "no answer to request " << sent << ":\n" << request.substr(0, 2000);
        ASSERT_LT(answer->status, 500) << request.substr(0, 2000) << "\n" << answer->body;
        ASSERT_EQ(_description.judge(operation, *answer), "") << "request " << sent << ":\n"
                                                              << request.substr(0, 2000);
        maker.learn(answer->body);
    }
    expectReach(operations, requests);
    std::cout << "answers never seen: " << _description.unseen().size() << " of "
              << _description.documented() << std::endl;
}

} // namespace
} // namespace octostore::test
