// SPDX-License-Identifier: MIT
/// @file
/// The coordination API in one process: router, routes and a real engine, without sockets.
#pragma once

#include "FakeClock.h"
#include "FakeRandom.h"
#include "JsonMembers.h"
#include "SyncCoordinator.h"

#include <octostore/base/Json.h>
#include <octostore/http/Exchange.h>
#include <octostore/http/Router.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace octostore::test
{

/// What a client sends.
struct Ask
{
    http::Method method = http::Method::Get;
    std::string target;
    std::string token; ///< empty: none
    std::optional<std::string> body;
    std::string contentType = "application/json"; ///< sent with a body only; empty: none
    std::string authorization = {};               ///< the whole header, instead of `token`
};

/// One request on its way, from the client's side. Thread-safety: thread-compatible.
class Call
{
public:
    class Line;
    explicit Call(std::shared_ptr<Line> line) : _line(std::move(line)) {}

    bool answered() const;
    /// Asserts that there is an answer.
    const http::Response& response() const;
    int status() const { return response().status; }
    const std::string& body() const { return response().body; }
    /// The body, which must be a JSON object.
    JsonValue::Object json() const;
    /// The client closes its connection.
    void leave();

private:
    std::shared_ptr<Line> _line;
};

/// Thread-safety: thread-compatible.
class ApiServer
{
public:
    struct Options
    {
        bool elections = true;
        coordination::Limits limits = {};
    };
    ApiServer() : ApiServer(Options()) {}
    explicit ApiServer(const Options& options);
    ~ApiServer();

    // Tokens of the accounts there are.
    static constexpr std::string_view alice = "alice-token";
    static constexpr std::string_view bob = "bob-token";
    static constexpr std::string_view carol = "carol-token"; ///< namespace `team`
    static constexpr std::string_view root = "root-token";   ///< an administrator

    Call ask(const Ask& ask);
    Call get(std::string target, std::string_view token = {});
    Call post(std::string target, std::string body, std::string_view token = {});

    /// Answers from now on never reach their clients.
    void loseAnswers();

    /// Reads the configuration again, with this value of `elections.public`.
    void reload(bool elections);

    void advance(BootClock::duration duration);
    FakeClock& clock();
    SyncCoordinator& coordinator();

private:
    class State;
    std::unique_ptr<State> _state;
};

} // namespace octostore::test
