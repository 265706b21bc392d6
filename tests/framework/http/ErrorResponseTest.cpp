// SPDX-License-Identifier: MIT
#include <octostore/http/ErrorResponse.h>

#include <gtest/gtest.h>

namespace octostore::http
{

namespace
{

RequestId requestId()
{
    RequestId id;
    id.uuid.bytes.fill(0xab);
    return id;
}

constexpr const char* requestText = "req_abababababababababababababababab";

} // namespace

TEST(ErrorResponseTest, TheEnvelopeHasItsKeysInAlphabeticalOrder)
{
    const Response response = errorResponse({ErrorCode::NotFound, "No such lock."}, requestId());
    EXPECT_EQ(response.status, 404);
    EXPECT_EQ(response.error, ErrorCode::NotFound);
    EXPECT_EQ(*response.headers.find("content-type"), "application/json");
    EXPECT_EQ(*response.headers.find("x-request-id"), requestText);
    EXPECT_EQ(response.headers.find("retry-after"), nullptr);
    EXPECT_EQ(response.body, std::string(R"({"code":"not_found","details":"No such lock.",)"
                                         R"("error":"Not found","request_id":")") +
                                 requestText + R"("})");
}

TEST(ErrorResponseTest, DetailsOf5xxAreGeneric)
{
    const Response response = errorResponse({ErrorCode::Internal, "secret path"}, requestId());
    EXPECT_EQ(response.status, 500);
    EXPECT_EQ(response.body.find("secret path"), std::string::npos);
    EXPECT_NE(response.body.find(R"("details":"Internal error","error":"Internal error")"),
              std::string::npos);
}

TEST(ErrorResponseTest, RetryAfterIsInSecondsAndInMilliseconds)
{
    ErrorDetails details;
    details.retryAfterSeconds = 30;
    const Response response =
        errorResponse({ErrorCode::CapacityExceeded, "Full."}, requestId(), details);
    EXPECT_EQ(response.status, 409);
    EXPECT_EQ(*response.headers.find("retry-after"), "30");
    EXPECT_NE(response.body.find(R"("retry_after_ms":30000)"), std::string::npos);
}

TEST(ErrorResponseTest, WhatCouldNotBeCommittedSaysWhyAndWhenToComeBack)
{
    const std::pair<ErrorCode, const char*> cases[] = {
        {ErrorCode::Unavailable, "storage_unavailable"},
        {ErrorCode::OutcomeUnknown, "outcome_unknown"},
        {ErrorCode::Overloaded, "overloaded"},
        {ErrorCode::Draining, "draining"},
        {ErrorCode::Restoring, "restoring"}};
    for (const auto& [code, reason] : cases)
    {
        const Response response = errorResponse({code, {}}, requestId());
        EXPECT_EQ(response.status, 503);
        EXPECT_EQ(wireNameOf(code), "internal_error");
        EXPECT_EQ(reasonOf(code), reason);
        EXPECT_EQ(*response.headers.find("retry-after"), "1");
        EXPECT_NE(response.body.find(std::string(R"("reason":")") + reason + "\""),
                  std::string::npos);
        EXPECT_NE(response.body.find(R"("retry_after_ms":1000})"), std::string::npos);
    }
}

TEST(ErrorResponseTest, ARestoredStoreSaysThatNothingIsBroken)
{
    ErrorDetails details;
    details.retryAfterSeconds = 300;
    const Response response = errorResponse({ErrorCode::Restoring, "inside"}, requestId(), details);
    EXPECT_EQ(response.status, 503);
    EXPECT_NE(response.body.find(R"("details":"The store was restored; )"), std::string::npos);
    EXPECT_NE(response.body.find(R"("reason":"restoring")"), std::string::npos);
    EXPECT_EQ(*response.headers.find("retry-after"), "300");
}

TEST(ErrorResponseTest, MoreMembersGoIntoTheEnvelope)
{
    ErrorDetails details;
    details.members = R"("ended":{"term":7})";
    const Response response =
        errorResponse({ErrorCode::LeaseGone, "It has ended."}, requestId(), details);
    EXPECT_NE(response.body.find(R"("ended":{"term":7})"), std::string::npos);
    EXPECT_TRUE(readJson(response.body).ok()) << response.body;
}

TEST(ErrorResponseTest, StatusesAndWireNamesAreThoseOfTheContract)
{
    const struct
    {
        ErrorCode code;
        int status;
        const char* name;
        const char* reason;
    } cases[] = {{ErrorCode::AuthenticationRequired, 401, "authentication_required", ""},
                 {ErrorCode::AuthenticationFailed, 401, "authentication_failed", ""},
                 {ErrorCode::Forbidden, 403, "forbidden", ""},
                 {ErrorCode::LockLimitExceeded, 403, "lock_limit_exceeded", ""},
                 {ErrorCode::InvalidLockName, 400, "invalid_lock_name", ""},
                 {ErrorCode::InvalidTtl, 400, "invalid_ttl", ""},
                 {ErrorCode::InvalidInput, 400, "invalid_input", ""},
                 {ErrorCode::LeaseMismatch, 400, "lease_not_current", "mismatch"},
                 {ErrorCode::LeaseGone, 404, "lease_not_current", "gone"},
                 {ErrorCode::LeaseExpired, 404, "lease_not_current", "expired"},
                 {ErrorCode::SessionExpired, 410, "session_expired", ""},
                 {ErrorCode::Conflict, 409, "conflict", ""},
                 {ErrorCode::RateLimited, 429, "rate_limited", ""},
                 {ErrorCode::Malformed, 400, "invalid_input", ""},
                 {ErrorCode::Unprocessable, 422, "invalid_input", ""},
                 {ErrorCode::UnsupportedMediaType, 415, "invalid_input", ""},
                 {ErrorCode::MethodNotAllowed, 405, "invalid_input", ""},
                 {ErrorCode::PayloadTooLarge, 413, "invalid_input", ""},
                 {ErrorCode::UriTooLong, 414, "invalid_input", ""},
                 {ErrorCode::HeadersTooLarge, 431, "invalid_input", ""},
                 {ErrorCode::RequestTimeout, 408, "invalid_input", ""},
                 {ErrorCode::UpstreamUnavailable, 502, "upstream_unavailable", ""},
                 {ErrorCode::Corrupt, 500, "internal_error", ""}};
    for (const auto& row : cases)
    {
        EXPECT_EQ(statusOf(row.code), row.status) << row.name;
        EXPECT_EQ(wireNameOf(row.code), row.name);
        EXPECT_EQ(reasonOf(row.code), row.reason) << row.name;
    }
}

} // namespace octostore::http
