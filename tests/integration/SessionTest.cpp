// SPDX-License-Identifier: MIT
// Goal: sessions and their locks over real sockets, with real time, on each transport.
// Method: two accounts as two programs would hold a lock, one of them dying.
#include "ServerTest.h"

#include <chrono>
#include <thread>

namespace octostore::test
{
namespace
{

using namespace std::chrono_literals;

class SessionTest : public ServerTest, public testing::WithParamInterface<const char*>
{
protected:
    void SetUp() override { start({{"http.transport", GetParam()}}); }

    static ServerAnswer send(ServerClient& client, const std::string& method,
                             const std::string& target)
    {
        ServerQuestion question;
        question.method = method;
        question.target = target;
        return expectAnswer(client.ask(question));
    }
    static std::string open(ServerClient& client, int ttl)
    {
        const ServerAnswer answer = expectAnswer(
            client.post("/sessions", R"({"ttl_seconds":)" + std::to_string(ttl) + "}"));
        EXPECT_EQ(answer.status, 201) << answer.body;
        return answer.text("session_id");
    }
    static std::string in(const std::string& session, const std::string& more = {})
    {
        return R"({"session_id":")" + session + R"(","ephemeral":true)" + more + "}";
    }
};

TEST_P(SessionTest, ASessionIsOpenedKeptAliveShownAndClosed)
{
    ServerClient holder = client(alice);
    const std::string session = open(holder, 300);
    EXPECT_EQ(send(holder, "POST", "/sessions/" + session + "/keepalive").text("session_id"),
              session);
    EXPECT_EQ(expectAnswer(holder.post("/locks/a/acquire", in(session))).text("status"),
              "acquired");
    EXPECT_EQ(send(holder, "GET", "/sessions/" + session).number("lock_count"), 1);
    const ServerAnswer closed = send(holder, "DELETE", "/sessions/" + session);
    EXPECT_EQ(closed.status, 204);
    EXPECT_EQ(closed.body, "");
    EXPECT_EQ(closed.headers.count("content-type"), 0U);
    EXPECT_EQ(send(holder, "DELETE", "/sessions/" + session).status, 204);
    EXPECT_EQ(expectAnswer(client(bob).get("/locks/a")).text("status"), "free");
}

TEST_P(SessionTest, TheNextIsServedWhenTheSessionIsClosed)
{
    ServerClient holder = client(alice);
    const std::string session = open(holder, 300);
    expectAnswer(holder.post("/locks/a/acquire", in(session, R"(,"ttl_seconds":3600)")));
    ServerAnswer served;
    std::thread waiter(
        [this, &served] {
            served = expectAnswer(client(bob).post("/locks/a/acquire", R"({"wait_seconds":100})"));
        });
    std::this_thread::sleep_for(300ms); // by then it waits; if not it is served all the same
    send(holder, "DELETE", "/sessions/" + session);
    waiter.join();
    // Long before the session would have run out.
    EXPECT_EQ(served.text("status"), "acquired") << served.body;
}

TEST_P(SessionTest, WhatRunsOutIsFreeAtItsDeadlineAndNotBefore)
{
    ServerClient holder = client(alice);
    const auto opened = std::chrono::steady_clock::now();
    const std::string session = open(holder, 10);
    expectAnswer(holder.post("/locks/a/acquire", in(session, R"(,"ttl_seconds":300)")));
    const ServerAnswer served =
        expectAnswer(client(bob).post("/locks/a/acquire", R"({"wait_seconds":100})"));
    const auto took = std::chrono::steady_clock::now() - opened;
    EXPECT_EQ(served.text("status"), "acquired") << served.body;
    EXPECT_GE(took, 10s);
    EXPECT_EQ(send(holder, "POST", "/sessions/" + session + "/keepalive").status, 410);
}

INSTANTIATE_TEST_SUITE_P(Transports, SessionTest, testing::Values(OCTOSTORE_TEST_TRANSPORTS));

} // namespace
} // namespace octostore::test
