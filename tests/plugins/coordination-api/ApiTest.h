// SPDX-License-Identifier: MIT
/// @file
/// What the conversation tests have in common.
#pragma once

#include "support/ApiServer.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace octostore::test
{

/// Expects the error envelope that belongs to `status`, `code` and, when not empty, `reason`.
inline void expectError(const Call& call, int status, std::string_view code,
                        std::string_view reason = {})
{
    ASSERT_TRUE(call.answered());
    EXPECT_EQ(call.status(), status) << call.body();
    const std::string* type = call.response().headers.find("content-type");
    ASSERT_NE(type, nullptr);
    EXPECT_EQ(*type, "application/json");

    const JsonValue::Object body = call.json();
    EXPECT_EQ(textOf(body, "code"), code) << call.body();
    EXPECT_FALSE(textOf(body, "error").empty());
    EXPECT_FALSE(textOf(body, "details").empty());
    const std::string* id = call.response().headers.find("x-request-id");
    ASSERT_NE(id, nullptr);
    EXPECT_EQ(textOf(body, "request_id"), *id);
    EXPECT_EQ(body.count("reason"), reason.empty() ? 0U : 1U) << call.body();
    if (!reason.empty())
    {
        EXPECT_EQ(textOf(body, "reason"), reason);
    }

    const std::string* retryAfter = call.response().headers.find("retry-after");
    ASSERT_EQ(body.count("retry_after_ms"), retryAfter == nullptr ? 0U : 1U) << call.body();
    if (retryAfter != nullptr)
    {
        EXPECT_EQ(std::to_string(numberOf(body, "retry_after_ms")), *retryAfter + "000");
    }
}

/// A server and its usual visitors.
class ApiTest : public testing::Test
{
protected:
    static constexpr std::string_view alice = ApiServer::alice;
    static constexpr std::string_view bob = ApiServer::bob;
    static constexpr std::string_view carol = ApiServer::carol;
    static constexpr std::string_view root = ApiServer::root;

    Call acquire(const std::string& name, std::string_view token, const std::string& body = "{}")
    {
        return _server.post("/locks/" + name + "/acquire", body, token);
    }
    /// Acquires and returns the lease ID.
    std::string leaseOf(const std::string& name, std::string_view token,
                        const std::string& body = "{}")
    {
        const Call call = acquire(name, token, body);
        EXPECT_EQ(textOf(call.json(), "status"), "acquired") << call.body();
        return textOf(call.json(), "lease_id");
    }
    Call renew(const std::string& name, std::string_view token, const std::string& lease,
               const std::string& more = {})
    {
        return _server.post("/locks/" + name + "/renew",
                            "{\"lease_id\":\"" + lease + "\"" + more + "}", token);
    }
    Call release(const std::string& name, std::string_view token, const std::string& lease)
    {
        return _server.post("/locks/" + name + "/release", "{\"lease_id\":\"" + lease + "\"}",
                            token);
    }
    Call campaign(const std::string& room, const std::string& candidate,
                  const std::string& more = {})
    {
        return _server.post("/elections/" + room + "/campaign",
                            "{\"candidate_id\":\"" + candidate + "\"" + more + "}");
    }

    ApiServer _server;
};

} // namespace octostore::test
