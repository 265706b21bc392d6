// SPDX-License-Identifier: MIT
#include "ApiTest.h"
#include "MalformedInputs.h"

#include <set>

namespace octostore::test
{
namespace
{

class MalformedInputTest : public ApiTest
{
protected:
    Call send(const MalformedInput& input)
    {
        Ask ask;
        ask.method = input.method;
        ask.target = input.target;
        ask.authorization = input.authorization;
        ask.body = input.body;
        ask.contentType = input.contentType;
        return _server.ask(ask);
    }
};

TEST_F(MalformedInputTest, IsToldWhatIsWrongInTheEnvelope)
{
    std::set<std::string> requestIds;
    for (const MalformedInput& input : malformedInputs(std::string(alice)))
    {
        SCOPED_TRACE(input.what);
        const Call call = send(input);
        expectError(call, input.status, input.code);
        requestIds.insert(textOf(call.json(), "request_id"));
        const std::string* allow = call.response().headers.find("allow");
        ASSERT_EQ(allow != nullptr, !input.allow.empty());
        if (allow != nullptr)
        {
            EXPECT_EQ(*allow, input.allow);
        }
    }
    EXPECT_EQ(requestIds.size(), malformedInputs("").size());
}

TEST_F(MalformedInputTest, ChangesNothing)
{
    for (const MalformedInput& input : malformedInputs(std::string(alice)))
        send(input);
    EXPECT_EQ(_server.get("/locks", alice).body(), R"({"locks":[],"total":0,"prefix":null})");
    EXPECT_EQ(acquire("x", alice).status(), 200);
}

TEST_F(MalformedInputTest, EveryKindOfJsonTypeIsTaken)
{
    for (const char* type : {"application/json", "APPLICATION/JSON", "application/json; charset=x",
                             "application/vnd.acme+json", " application/json ;q=1"})
    {
        Ask ask{http::Method::Post, "/locks/a/acquire", std::string(alice), "{}", type};
        EXPECT_EQ(_server.ask(ask).status(), 200) << type;
    }
}

TEST_F(MalformedInputTest, UnknownKeysAreIgnored)
{
    EXPECT_EQ(acquire("a", alice, R"({"x":1,"y":{"ttl_seconds":"z"}})").status(), 200);
    EXPECT_EQ(campaign("room-0001", "n", R"(,"x":[1,2])").status(), 200);
}

TEST_F(MalformedInputTest, RoutesWithoutABodyTakeAnyBytes)
{
    Ask ask{http::Method::Post, "/elections", "", "\xFF{", "text/plain"};
    EXPECT_EQ(_server.ask(ask).status(), 201);
    ask = {http::Method::Get, "/locks/a", std::string(alice), "\xFF{", "text/plain"};
    EXPECT_EQ(_server.ask(ask).status(), 200);
}

} // namespace
} // namespace octostore::test
