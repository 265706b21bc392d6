// SPDX-License-Identifier: MIT
/// @file
/// One connection to the server.
#pragma once

#include <octostore/client/Cancellation.h>
#include <octostore/client/Http.h>
#include <octostore/client/HttpClient.h>

#include <Poco/Net/Context.h>
#include <Poco/Net/HTTPClientSession.h>
#include <Poco/Net/StreamSocket.h>

#include <memory>
#include <optional>
#include <variant>

namespace Poco::Net
{
class HTTPResponse;
class IPAddress;
} // namespace Poco::Net

namespace octostore::client
{

/// What is needed to reach the server. Immutable once made.
struct Dialing
{
    ServerUrl server;
    HttpClientOptions options;
    std::optional<ServerUrl> proxy;
    Poco::Net::Context::Ptr tls; ///< null for http
};

/// Thread-safety: thread-compatible.
class Connection
{
public:
    using Opened = std::variant<std::unique_ptr<Connection>, TransportFailure>;
    using Sink = std::function<bool(std::string_view)>;

    /// Resolves, connects to the first address that answers, and proves who is there.
    static Opened open(const Dialing& dialing, Milliseconds timeout,
                       Cancellation& cancellation) noexcept;
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// With `sink` an event stream is handed over instead of read; `silence` bounds its pauses.
    HttpOutcome exchange(const HttpRequest& request, Milliseconds timeout,
                         Cancellation& cancellation, const Sink* sink = nullptr,
                         Milliseconds silence = Milliseconds(0)) noexcept;

    /// Whether another request may follow, as far as is known here.
    bool reusable() const;
    /// Whether anything of the last answer had arrived.
    bool answered() const noexcept { return _answered; }

private:
    Connection(const Dialing& dialing, const Poco::Net::StreamSocket& socket, int duplicate);

    void write(const HttpRequest& request, bool asStream);
    HttpOutcome readBody(std::istream& stream, const Poco::Net::HTTPResponse& response);
    HttpOutcome handOver(std::istream& stream, HttpAnswer answer, const Sink& sink);
    TransportFailure broken(const std::string& why) const;

    const Dialing& _dialing;
    Poco::Net::HTTPClientSession _session;
    /// Poco closes the session's socket whenever it likes, and the number may be somebody else's
    /// then; this duplicate is ours, and good for shutting down.
    const int _duplicate;
    bool _answered = false;
    bool _intact = true;
};

} // namespace octostore::client
