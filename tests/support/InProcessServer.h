// SPDX-License-Identifier: MIT
/// @file
/// Any plugins in one process: their routes, a router and a real engine, without sockets.
#pragma once

#include "FakeClock.h"
#include "FakeRandom.h"
#include "FakeSettings.h"
#include "SyncCoordinator.h"

#include <octostore/base/Executor.h>
#include <octostore/base/Json.h>
#include <octostore/http/Identity.h>
#include <octostore/http/Message.h>
#include <octostore/http/Router.h>
#include <octostore/plugin/Plugin.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::test
{

/// Knows the tokens a test gives it, as the configuration of a server would.
/// Thread-safety: thread-compatible.
class FakeAccounts final : public http::AuthProvider
{
public:
    void remove(std::string_view token) { _identities.erase(sha256(token)); }
    void add(std::string_view token, const std::string& name, http::Role role = http::Role::User,
             const std::string& space = {});

    std::optional<http::Identity> authenticate(const Digest& token) const noexcept override;
    std::size_t principals() const noexcept override { return _identities.size(); }
    std::vector<http::Account> accounts() const noexcept override;
    bool hasAccount(std::string_view name) const noexcept override;

private:
    std::map<Digest, http::Identity> _identities;
};

/// An answer without an end, from the client's side. Thread-safety: thread-compatible.
class OpenStream
{
public:
    class Line;
    explicit OpenStream(std::shared_ptr<Line> line) : _line(std::move(line)) {}
    /// Leaves.
    ~OpenStream();
    OpenStream(OpenStream&&) = default;
    OpenStream& operator=(OpenStream&& other) noexcept
    {
        _line.swap(other._line); // the other one leaves
        return *this;
    }

    /// What came instead of a stream, or the head of the stream.
    const http::Response& head();
    /// What has been written and not been read; reads it.
    std::string read();
    /// Reads until `text` has come, which must happen; all that was read.
    std::string readUntil(std::string_view text);
    /// Whether the server has ended it and everything was read.
    bool ended();
    /// The client closes its connection.
    void leave();

private:
    std::shared_ptr<Line> _line;
};

/// Thread-safety: thread-compatible.
class InProcessServer
{
public:
    InProcessServer();
    ~InProcessServer();

    // In this order:
    FakeSettings settings;
    FakeAccounts accounts;
    /// Configures and starts `plugin`, which must outlive this object. Errors: the plugin's.
    Result<void> add(plugin::Plugin& plugin);
    /// Before open(): the filters of the plugins look at every request as well.
    bool filters = false;
    /// Opens the router on what the plugins offer; `adminKey` empty: there is none. What is
    /// answered is written down.
    void open(std::string_view adminKey = {});
    /// Opens it on routes of the test's own.
    void open(std::vector<http::Route> routes, std::string_view adminKey = {});
    /// What the plugins serve.
    std::vector<http::Route> routes();

    struct Question
    {
        http::Method method = http::Method::Get;
        std::string target;
        std::vector<http::Header> headers = {};
        std::optional<std::string> body = {}; ///< JSON
    };
    /// An answer that may come later.
    class Answer
    {
    public:
        class Line;
        explicit Answer(std::shared_ptr<Line> line) : _line(std::move(line)) {}
        bool hasCome() const;
        /// It must have come by then.
        http::Response operator()() const;

    private:
        std::shared_ptr<Line> _line;
    };
    Answer begin(const Question& question);
    /// The answer, which must come at once.
    http::Response ask(const Question& question) { return begin(question)(); }
    /// As `ask`, with `Authorization: Bearer token` unless that is empty.
    http::Response ask(http::Method method, std::string target, std::string_view token,
                       std::optional<std::string> body = {});

    /// Opens a stream; nothing of it is read by itself.
    OpenStream stream(const Question& question);

    /// Before add().
    void setJournal(event::Journal& journal) { _context.journal = &journal; }
    /// Tokens were taken from `accounts` or given to others.
    void credentialsChanged() { _router->credentialsChanged(); }
    plugin::Context context();
    plugin::ExtensionRegistry& registry() { return _registry; }
    FakeClock& clock() { return _clock; }
    SyncCoordinator& coordinator() { return _coordinator; }

private:
    http::Request requestOf(const Question& question) const;

    FakeClock _clock;
    FakeRandom _random;
    SyncCoordinator _coordinator;
    plugin::ExtensionRegistry _registry;
    plugin::Context _context;
    std::unique_ptr<http::Router> _router;
    bool _real = false; ///< the routes
};

/// The body, which must be a JSON object.
JsonValue::Object jsonOf(const http::Response& response);

} // namespace octostore::test
