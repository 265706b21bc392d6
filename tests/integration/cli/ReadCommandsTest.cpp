// SPDX-License-Identifier: MIT
#include "CliTest.h"
#include "Scripted.h"
#include "support/JsonSchema.h"

#include <csignal>

namespace octostore::test
{

class ReadCommandsTest : public CliTest
{
protected:
    ClientProcess::Variables variables() const
    {
        return {{"OCTOSTORE_URL", _server.url()}, {"OCTOSTORE_TOKEN", "secret"}};
    }
    static ScriptedReply vacant()
    {
        return jsonReply(std::string("{\"election_id\":\"") + scriptedRoom +
                         "\",\"status\":\"vacant\",\"retry_after_ms\":0}");
    }
    static ScriptedReply led(int term)
    {
        return jsonReply(std::string("{\"election_id\":\"") + scriptedRoom +
                         "\",\"status\":\"leader\",\"leader\":" + leaderObject("node-2", term) +
                         ",\"retry_after_ms\":1500}");
    }

    ScriptedServer _server{[](const SeenRequest&) { return vacant(); }};
};

TEST_F(ReadCommandsTest, StatusExits1WhenFreeAnd0WhenTaken)
{
    ClientProcess free({"election", "status", scriptedRoom}, variables());
    EXPECT_EQ(free.wait(), 1);
    _server.setHandler([](const SeenRequest&) { return led(6); });
    ClientProcess taken({"election", "status", scriptedRoom}, variables());
    EXPECT_EQ(taken.wait(), 0);
    EXPECT_NE(taken.output().find("node-2"), std::string::npos);
    EXPECT_NE(taken.output().find("term 6"), std::string::npos);
}

TEST_F(ReadCommandsTest, StatusAsJsonIsTheAnswerInOneLine)
{
    _server.setHandler([](const SeenRequest&) { return led(6); });
    ClientProcess client({"election", "status", scriptedRoom, "--json"}, variables());
    client.wait();
    ASSERT_EQ(client.lines().size(), 1U);
    EXPECT_EQ(member(client.lines()[0], "status"), "leader");
}

TEST_F(ReadCommandsTest, StatusTellsTheCallersFaultFromOthers)
{
    _server.setHandler([](const SeenRequest&) { return errorReply(400, "invalid_input"); });
    ClientProcess callers({"election", "status", scriptedRoom}, variables());
    EXPECT_EQ(callers.wait(), 64);
    EXPECT_NE(callers.errors().find("req_0123456789abcdef0123456789abcdef"), std::string::npos);
    _server.setHandler([](const SeenRequest&) { return errorReply(503, "internal_error"); });
    ClientProcess others({"election", "status", scriptedRoom}, variables());
    EXPECT_EQ(others.wait(), 70);
}

TEST_F(ReadCommandsTest, ARequestThatHangsIsOverInTime)
{
    _server.setHandler(
        [](const SeenRequest&)
        {
            ScriptedReply reply;
            reply.hang = true;
            return reply;
        });
    ClientProcess client({"election", "status", scriptedRoom, "--request-timeout", "300ms"},
                         variables());
    EXPECT_EQ(client.wait(), 70);
    EXPECT_NE(client.errors().find("in time"), std::string::npos);
}

TEST_F(ReadCommandsTest, CreatePrintsTheRoom)
{
    _server.setHandler([](const SeenRequest&)
                       { return jsonReply("{\"election_id\":\"new-room-1\"}", 201); });
    ClientProcess client({"election", "create"}, variables());
    EXPECT_EQ(client.wait(), 0);
    EXPECT_EQ(client.output(), "new-room-1\n");
}

TEST_F(ReadCommandsTest, WatchPrintsASnapshotNowAndAfterEveryChange)
{
    int states = 0;
    _server.setHandler(
        [&](const SeenRequest& request)
        {
            ScriptedReply reply;
            if (!endsWith(request.path, "/watch"))
                return ++states == 1 ? vacant() : led(states);
            // Two frames, then the stream ends and is opened again.
            const std::string frame = "event: state\nretry:10\ndata: {}\n\n";
            reply.raw = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + frame;
            reply.close = true;
            return reply;
        });
    ClientProcess client({"election", "watch", scriptedRoom, "--json"}, variables());
    ASSERT_TRUE(client.waitForLine("vacant")) << client.errors();
    ASSERT_TRUE(client.waitForLine("\"term\":3")) << client.output();
    client.signal(SIGINT);
    EXPECT_EQ(client.wait(), 130);
    const JsonSchema schema(read(OCTOSTORE_TEST_SCHEMA));
    for (const std::string& line : client.lines())
        EXPECT_EQ(schema.check(line), "") << line;
}

TEST_F(ReadCommandsTest, AWatchThatNobodyReadsEndsWith0)
{
    _server.setHandler(
        [](const SeenRequest& request)
        {
            ScriptedReply reply = vacant();
            if (endsWith(request.path, "/watch"))
                reply.raw = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                            "Transfer-Encoding: chunked\r\n\r\na\r\ndata: {}\n\n\r\n";
            return reply;
        });
    ClientProcess client({"election", "watch", scriptedRoom, "--json"}, variables());
    ASSERT_TRUE(client.waitForLine("vacant"));
    client.closeOutput();
    EXPECT_EQ(client.wait(), 0);
}

TEST_F(ReadCommandsTest, AWatchThatIsRefusedSaysWhy)
{
    _server.setHandler([](const SeenRequest&) { return errorReply(403, "forbidden"); });
    ClientProcess client({"lock", "watch", "a", "--json"}, variables());
    EXPECT_EQ(client.wait(), 64);
    EXPECT_EQ(member(client.lines().at(0), "reason_code"), "forbidden");
}

TEST_F(ReadCommandsTest, DoctorFindsWhatIsWrong)
{
    _server.setHandler([](const SeenRequest&) { return jsonReply("{\"status\":\"ok\"}"); });
    ClientProcess good({"doctor"}, variables());
    EXPECT_EQ(good.wait(), 0) << good.output();
    _server.setHandler(
        [](const SeenRequest& request)
        {
            return request.path == "/health" ? jsonReply("{\"status\":\"ok\"}")
                                             : errorReply(401, "authentication_failed");
        });
    ClientProcess bad({"doctor", "--json"}, variables());
    EXPECT_EQ(bad.wait(), 70);
    EXPECT_NE(bad.output().find("\"state\":\"bad\""), std::string::npos);
}

} // namespace octostore::test
