// SPDX-License-Identifier: MIT
#include <octostore/client/Failure.h>

#include <gtest/gtest.h>

namespace octostore::client
{

namespace
{

HttpAnswer envelope(int status, const std::string& code, const std::string& more = {})
{
    return {status, "application/json", "",
            "{\"code\":\"" + code + "\",\"error\":\"summary\",\"details\":\"why\"" +
                ",\"request_id\":\"req_0123456789abcdef0123456789abcdef\"" + more + "}"};
}

Failure failureOf(int status, const std::string& code)
{
    return readFailure(envelope(status, code));
}

} // namespace

TEST(FailureTest, AnEnvelopeIsRead)
{
    const Failure failure = readFailure(envelope(429, "rate_limited", ",\"retry_after_ms\":2000"));
    EXPECT_EQ(failure.code, "rate_limited");
    EXPECT_EQ(failure.message, "summary: why");
    EXPECT_EQ(failure.requestId, "req_0123456789abcdef0123456789abcdef");
    EXPECT_EQ(failure.retryAfter, Milliseconds(2000));
    EXPECT_FALSE(failure.endedTerm);
}

TEST(FailureTest, TheTermThatHasEndedIsRead)
{
    const Failure failure = readFailure(envelope(
        404, "lease_not_current", ",\"reason\":\"gone\",\"ended\":{\"term\":7,\"cause\":\"ttl\"}"));
    EXPECT_EQ(failure.endedTerm, 7U);
}

TEST(FailureTest, WhatAPageOrAnUnknownCodeSaysIsNotBelieved)
{
    EXPECT_EQ(readFailure(HttpAnswer{403, "text/html", "", "<html>"}).code, "invalid_response");
    EXPECT_EQ(readFailure(HttpAnswer{502, "text/html", "", "<html>"}).code, "server_error");
    EXPECT_EQ(failureOf(400, "made_up").code, "invalid_response");
    EXPECT_EQ(readFailure(envelope(404, "not_found", ",\"request_id2\":1")).code, "not_found");
}

TEST(FailureTest, ControlCharactersOfAServerDoNotReachTheTerminal)
{
    HttpAnswer answer = envelope(400, "invalid_input");
    answer.body = R"({"code":"invalid_input","error":"a\u001b[31mb\nc","details":""})";
    EXPECT_EQ(readFailure(answer).message, "a [31mb c");
}

TEST(FailureTest, ARedirectIsSaidSo)
{
    const Failure failure = readFailure(HttpAnswer{302, "", "https://elsewhere/", ""});
    EXPECT_EQ(failure.code, "redirected");
    EXPECT_NE(failure.message.find("https://elsewhere/"), std::string::npos);
    EXPECT_FALSE(worthRetrying(failure));
    EXPECT_FALSE(provesLoss(failure));
}

TEST(FailureTest, OnlyTheServersOwnWordProvesLoss)
{
    EXPECT_TRUE(provesLoss(failureOf(404, "lease_not_current")));
    EXPECT_TRUE(provesLoss(failureOf(400, "lease_not_current")));
    EXPECT_TRUE(provesLoss(failureOf(404, "not_found")));
    EXPECT_TRUE(provesLoss(failureOf(410, "session_expired")));
    EXPECT_TRUE(provesLoss(failureOf(401, "authentication_failed")));
    EXPECT_TRUE(provesLoss(failureOf(401, "authentication_required")));
    EXPECT_TRUE(provesLoss(failureOf(403, "forbidden")));
    EXPECT_TRUE(provesLoss(failureOf(400, "invalid_input")));

    EXPECT_FALSE(provesLoss(readFailure(HttpAnswer{404, "text/html", "", "not found"})));
    EXPECT_FALSE(provesLoss(failureOf(408, "invalid_input")));
    EXPECT_FALSE(provesLoss(failureOf(429, "rate_limited")));
    EXPECT_FALSE(provesLoss(failureOf(409, "capacity_exceeded")));
    EXPECT_FALSE(provesLoss(failureOf(503, "internal_error")));
    EXPECT_FALSE(provesLoss(failureOf(503, "lease_not_current")));
    for (const TransportFault fault :
         {TransportFault::UnknownHost, TransportFault::Unreachable, TransportFault::Certificate,
          TransportFault::Timeout, TransportFault::Broken, TransportFault::TooLarge,
          TransportFault::Cancelled})
        EXPECT_FALSE(provesLoss(readFailure(TransportFailure{fault, ""})));
}

TEST(FailureTest, WaitingGoesOnOnlyForWhatMayGetBetter)
{
    for (const Failure& failure :
         {failureOf(500, "internal_error"), failureOf(502, "upstream_unavailable"),
          failureOf(429, "rate_limited"), failureOf(409, "capacity_exceeded"),
          failureOf(408, "invalid_input"), readFailure(HttpAnswer{504, "", "", ""}),
          readFailure(TransportFailure{TransportFault::Unreachable, ""}),
          readFailure(TransportFailure{TransportFault::Timeout, ""}),
          readFailure(TransportFailure{TransportFault::Broken, ""}),
          readFailure(HttpAnswer{200, "", "", "{\"cut"})})
        EXPECT_TRUE(worthRetrying(failure)) << failure.code;
    for (const Failure& failure :
         {failureOf(401, "authentication_failed"), failureOf(403, "forbidden"),
          failureOf(400, "invalid_lock_name"), failureOf(403, "lock_limit_exceeded"),
          failureOf(409, "conflict"), readFailure(HttpAnswer{404, "text/html", "", ""}),
          readFailure(TransportFailure{TransportFault::UnknownHost, ""}),
          readFailure(TransportFailure{TransportFault::Certificate, ""})})
        EXPECT_FALSE(worthRetrying(failure)) << failure.code;
}

TEST(FailureTest, AWrongCredentialIsFatalAlsoWhenItsAddressIsThrottled)
{
    const Failure failure = readFailure(envelope(
        429, "rate_limited", ",\"reason\":\"wrong_credentials\",\"retry_after_ms\":60000"));
    EXPECT_EQ(failure.code, "authentication_failed");
    EXPECT_FALSE(failure.retryAfter);
    EXPECT_FALSE(worthRetrying(failure));
    EXPECT_TRUE(provesLoss(failure));
}

TEST(FailureTest, AnAnswerOfTheRightStatusThatIsNoObjectIsInvalid)
{
    const auto read = readObject(HttpAnswer{200, "application/json", "", "{\"a\":"}, 200);
    ASSERT_TRUE(std::holds_alternative<Failure>(read));
    EXPECT_EQ(std::get<Failure>(read).code, "invalid_response");
    EXPECT_TRUE(worthRetrying(std::get<Failure>(read)));
    EXPECT_TRUE(std::holds_alternative<Failure>(readObject(HttpAnswer{204, "", "", "{}"}, 200)));
    EXPECT_TRUE(std::holds_alternative<JsonValue::Object>(
        readObject(HttpAnswer{200, "application/json", "", "{}"}, 200)));
}

} // namespace octostore::client
