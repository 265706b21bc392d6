// SPDX-License-Identifier: MIT
/// @file
/// One request and its answer, asynchronous from the first line.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Executor.h>
#include <octostore/base/Id.h>
#include <octostore/base/Json.h>
#include <octostore/http/Identity.h>
#include <octostore/http/Message.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace octostore::http
{

class CredentialsInUse;

/// As long as it is kept, its keeper learns of the end of a credential. Any thread may let it go.
using CredentialHold = std::shared_ptr<const void>;

/// An answer without an end (server-sent events). Thread-safety: thread-safe.
class OCTOSTORE_API Stream
{
public:
    virtual ~Stream();
    /// Queues `chunk`, which is shared, not copied. False: the stream is closed, or the client
    /// reads too slowly and the bound of unsent bytes would be passed; then nothing was queued.
    virtual bool write(std::shared_ptr<const std::string> chunk) noexcept = 0;
    /// Ends the answer cleanly after what is queued.
    virtual void close() noexcept = 0;
    /// Bytes queued and not yet taken by the kernel.
    virtual std::size_t unsentBytes() const noexcept = 0;
    /// `closed` runs once, on the exchange's thread, when the stream has ended: the client or the
    /// server has gone, or all was sent after close(). Soon when that is so already.
    virtual void onClosed(Task closed) noexcept = 0;
};

/// The transport's side of one exchange. Called on the exchange's thread only.
class OCTOSTORE_API Channel
{
public:
    virtual ~Channel();
    /// Sends the answer, then calls Exchange::delivered().
    virtual void send(Response response) noexcept = 0;
    /// Sends the head of an endless answer.
    virtual std::shared_ptr<Stream> openStream(Response head) noexcept = 0;
    /// The thread of this exchange. Exchanges of one I/O thread share one executor.
    virtual std::shared_ptr<Executor> executor() noexcept = 0;
};

/// Made by a transport, answered by a handler. The one who answers later keeps the shared pointer;
/// when the last one lets it go unanswered, the client gets a 500.
/// Thread-safety: thread-affine(the exchange's executor): every member but the destructor.
class OCTOSTORE_API Exchange : public std::enable_shared_from_this<Exchange>
{
public:
    using Parameters = std::map<std::string, std::string, std::less<>>;

    Exchange(Request request, RequestId id, std::shared_ptr<Channel> channel);
    ~Exchange();
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    const Request& request() const noexcept { return _request; }
    RequestId id() const noexcept { return _id; }
    std::shared_ptr<Executor> executor() noexcept { return _executor; }

    /// The percent-decoded value of `{name}` in the route's pattern.
    const std::string& parameter(std::string_view name) const;
    /// The body, for routes that declare Body::Json.
    const JsonValue::Object& json() const noexcept { return _json; }
    /// Who asks, for routes that need a credential.
    const Identity& caller() const;
    const std::optional<Identity>& identity() const noexcept { return _identity; }

    /// Answers. Only the first call counts; it is a fault of the handler to answer twice.
    void respond(Response response) noexcept;
    void respond(const Error& error) noexcept;
    /// Answers with a stream; nothing is buffered beyond the transport's bound.
    std::shared_ptr<Stream> respondWithStream(Response head) noexcept;
    bool answered() const noexcept { return _answered; }

    /// `left` runs when the client has gone before it was answered; at once if it has already.
    void onAbandoned(Task left);
    /// `done(true)` runs when the kernel took the last byte of the answer, `done(false)` when it
    /// never will; at once when that is known already.
    void onDelivered(std::function<void(bool)> done);

    /// `revoked` runs once on the exchange's thread when the caller's credential stops working or
    /// is worth something else than when the request came; soon when that is so already. Only as
    /// long as what is returned is kept. Null, and never, where no credential was needed.
    [[nodiscard]] CredentialHold onRevoked(Task revoked);

    // For transports:
    void abandoned() noexcept;
    void delivered(bool whole) noexcept;

    // For the router:
    /// Sees (and may complete) the answer before it is sent; once, also when the client leaves.
    void setFinisher(std::function<void(Exchange&, Response&)> finisher);
    void setParameters(Parameters parameters) { _parameters = std::move(parameters); }
    void setJson(JsonValue::Object json) { _json = std::move(json); }
    void setIdentity(Identity identity) { _identity = std::move(identity); }
    /// `credentials` must outlive the exchange.
    void setCredentials(CredentialsInUse& credentials) { _credentials = &credentials; }

private:
    void finish(Response& response);

    Request _request;
    RequestId _id;
    std::shared_ptr<Channel> _channel;
    std::shared_ptr<Executor> _executor;
    Parameters _parameters;
    JsonValue::Object _json;
    std::optional<Identity> _identity;
    CredentialsInUse* _credentials = nullptr;
    std::function<void(Exchange&, Response&)> _finisher;
    Task _abandoned;
    std::function<void(bool)> _delivered;
    std::optional<bool> _whole; ///< whether the answer was delivered, once known
    bool _answered = false;
    bool _left = false;
};

using ExchangePtr = std::shared_ptr<Exchange>;

} // namespace octostore::http
