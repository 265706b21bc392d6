// SPDX-License-Identifier: MIT
#include "CliTest.h"
#include "Scripted.h"
#include "support/JsonSchema.h"

#include <octostore/base/Digest.h>

#include <atomic>
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

TEST_F(ReadCommandsTest, ManyPagesNeedNoMoreDescriptorsThanOne)
{
    constexpr int pages = 60;
    std::atomic<int> asked{0};
    _server.setHandler(
        [&](const SeenRequest&)
        {
            return jsonReply(++asked < pages ? R"({"locks":[{"name":"a"}],"next":"a"})"
                                             : R"({"locks":[]})");
        });
    ClientProcess client({"lock", "list"}, variables(), {},
                         {"sh", "-c", "ulimit -n 24; exec \"$@\"", "sh"});
    EXPECT_EQ(client.wait(), 0) << client.errors();
    EXPECT_EQ(asked, pages);
}

TEST_F(ReadCommandsTest, WhatTheServerSaysDoesNotControlTheTerminal)
{
    const std::string evil = "\\u001b[2J\\u009b1m";
    _server.setHandler(
        [&](const SeenRequest& request)
        {
            if (request.path.find("/events") == 0)
                return jsonReply(R"({"events":[{"sequence":1,"type":"lock.acquired","cause":")" +
                                 evil + R"("}],"next_since":1})");
            const std::string leader = R"("leader":)" + leaderObject(evil, 1);
            return jsonReply(R"({"status":"follower",)" + leader + R"(,"retry_after_ms":60000})");
        });
    for (const ClientProcess::Words& words :
         {ClientProcess::Words{"election", "status", scriptedRoom}, ClientProcess::Words{"events"},
          ClientProcess::Words{"election", "hold", scriptedRoom, "--candidate", "a",
                               "--acquire-timeout", "1s"}})
    {
        ClientProcess client(words, variables());
        client.wait();
        const std::string shown = client.output() + client.errors();
        EXPECT_NE(shown.find(" [2J 1m"), std::string::npos) << shown;
        EXPECT_EQ(shown.find('\x1B'), std::string::npos) << words.front();
        EXPECT_EQ(shown.find("\xC2\x9B"), std::string::npos) << words.front();
    }
}

TEST_F(ReadCommandsTest, AWholeBackupThatCannotGetItsNameIsKept)
{
    const std::string copy = "a store";
    _server.setHandler(
        [&](const SeenRequest&)
        {
            write("b.db", "came meanwhile");
            ScriptedReply reply;
            reply.body = copy;
            reply.headers = {"Content-Type: application/vnd.sqlite3",
                             "X-OctoStore-SHA256: " + toHex(sha256(copy))};
            return reply;
        });
    ClientProcess client({"backup", path("b.db")}, variables());
    EXPECT_EQ(client.wait(), 70);
    EXPECT_NE(client.errors().find(path("b.db.part")), std::string::npos) << client.errors();
    EXPECT_EQ(read(path("b.db.part")), copy);
    EXPECT_EQ(read(path("b.db")), "came meanwhile");
}

} // namespace octostore::test
