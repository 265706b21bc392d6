// SPDX-License-Identifier: MIT
/// @file
/// What conversations about sessions and access lists have in common.
#pragma once

#include "ApiTest.h"

#include <string>
#include <string_view>

namespace octostore::test
{

class SessionApiTest : public ApiTest
{
protected:
    /// Opens a session and returns its ID.
    std::string open(std::string_view token, const std::string& body = R"({"ttl_seconds":30})")
    {
        const Call call = _server.post("/sessions", body, token);
        EXPECT_EQ(call.status(), 201) << call.body();
        return textOf(call.json(), "session_id");
    }
    Call keepAlive(const std::string& session, std::string_view token)
    {
        return ask(http::Method::Post, "/sessions/" + session + "/keepalive", token);
    }
    Call show(const std::string& session, std::string_view token)
    {
        return ask(http::Method::Get, "/sessions/" + session, token);
    }
    Call close(const std::string& session, std::string_view token)
    {
        return ask(http::Method::Delete, "/sessions/" + session, token);
    }
    Call putAcl(const std::string& name, std::string_view token, const std::string& list)
    {
        return _server.ask({http::Method::Put, "/locks/" + name + "/acl", std::string(token),
                            R"({"acl":{"acquire":)" + list + "}}"});
    }
    Call dropAcl(const std::string& name, std::string_view token)
    {
        return ask(http::Method::Delete, "/locks/" + name + "/acl", token);
    }
    Call ask(http::Method method, const std::string& target, std::string_view token)
    {
        return _server.ask({method, target, std::string(token), std::nullopt});
    }
    /// The body of an acquire for an ephemeral lock; `more` are further members.
    static std::string in(const std::string& session, const std::string& more = {})
    {
        return R"({"session_id":")" + session + R"(","ephemeral":true)" + more + "}";
    }
    static std::string acl(const std::string& list)
    {
        return R"({"acl":{"acquire":)" + list + "}}";
    }
    std::string statusOf(const std::string& name)
    {
        return textOf(_server.get("/locks/" + name, bob).json(), "status");
    }
    static void expectEmpty204(const Call& call)
    {
        EXPECT_EQ(call.status(), 204) << call.body();
        EXPECT_EQ(call.body(), "");
        EXPECT_EQ(call.response().headers.find("content-type"), nullptr);
    }
};

} // namespace octostore::test
