// SPDX-License-Identifier: MIT
/// @file
/// A client of a server process, as any program would be one.
#pragma once

#include <octostore/base/Json.h>
#include <octostore/base/Result.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace octostore::test
{

struct ServerAnswer
{
    int status = 0;
    std::string body;
    std::map<std::string, std::string, std::less<>> headers; ///< names in lower case

    /// The body; empty when it is no JSON object.
    JsonValue::Object json() const;
    /// What the body has under a key, as text; empty when it has no text there.
    std::string text(std::string_view key) const;
    /// -1 when there is no integer.
    std::int64_t number(std::string_view key) const;
};

struct ServerQuestion
{
    std::string method = "GET";
    std::string target;
    std::string authorization = {}; ///< the whole header; empty: that of the client
    std::optional<std::string> body = {};
    std::string contentType = "application/json";    ///< with a body only; empty: none
    std::map<std::string, std::string> headers = {}; ///< further ones
};

/// One connection, kept alive. Thread-safety: thread-compatible.
class ServerClient
{
public:
    /// `token`: a bearer token; empty: none.
    explicit ServerClient(std::uint16_t port, std::string_view token = {});
    ~ServerClient();

    /// Errors: Unavailable when the connection cannot be made or breaks; what was asked may have
    /// happened. Whoever is told that there is too much to do has changed nothing and asks again,
    /// for a minute: a server that stood still says so.
    Result<ServerAnswer> ask(const ServerQuestion& question);
    Result<ServerAnswer> get(const std::string& target);
    Result<ServerAnswer> post(const std::string& target, const std::string& body);

private:
    class Session;

    Result<ServerAnswer> askOnce(const ServerQuestion& question);

    std::unique_ptr<Session> _session;
    const std::string _authorization;
};

} // namespace octostore::test
