// SPDX-License-Identifier: MIT
/// @file
/// One connection: request after request, one exchange at a time.
#pragma once

#include "Asio.h"
#include "IoThread.h"
#include "Outgoing.h"
#include "RequestReader.h"
#include "Service.h"

#include <octostore/http/Exchange.h>
#include <octostore/http/StreamQueue.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace octostore::http_beast
{

/// Asio tells when the socket is ready, the kernel is asked directly: so no buffer is tied to an
/// operation, and an idle connection has none. Thread-safety: thread-affine(its I/O thread).
class Connection final : public std::enable_shared_from_this<Connection>
{
public:
    /// Takes the socket. Null when the event loop cannot take it. The others must outlive this
    /// object's last use on the thread.
    static std::shared_ptr<Connection> open(IoThread& thread, Service& service, int socket,
                                            bool refuse);
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// Waits for the first request, or refuses the connection.
    void begin();
    /// The answer of the exchange that waits. `exchange` is told of the delivery.
    void answer(http::Response response, http::ExchangePtr exchange);
    std::shared_ptr<http::Stream> openStream(http::Response head, http::ExchangePtr exchange);

    /// Closes if idle; otherwise the next answer is the last.
    void drain();
    /// Now; an unanswered exchange is abandoned, an unsent answer undelivered.
    void close();

    bool isDue(SteadyTime now) const noexcept;
    /// Ends what has lasted too long.
    void timeOut(SteadyTime now);

private:
    enum class State : std::uint8_t
    {
        Reading,   ///< idle, or a request arrives
        Waiting,   ///< for the answer
        Sending,   ///< the answer
        Streaming, ///< an answer without end
        Lingering, ///< our side has ended; the client may still take the answer
        Closed,
    };

    Connection(IoThread& thread, Service& service, bool refuse);

    void awaitReadable();
    void awaitWritable();
    void onReadable();
    void readRequest();
    void readAhead();
    void readOut();
    void pump(std::string_view fresh);
    void rest(std::string_view fresh);
    void serve();
    void queueHead(const http::Response& response, http::BodyForm body);
    void flush();
    void flushStream();
    void sent();
    void nextRequest();
    void linger();
    void setDeadline(Milliseconds timeout);

    IoThread& _thread;
    Service& _service;
    asio::posix::stream_descriptor _socket;
    std::unique_ptr<RequestReader> _reader; ///< of the request that arrives or is served
    std::string _unread;                    ///< what came behind it
    Outgoing _outgoing;
    std::weak_ptr<http::Exchange> _waiting; ///< unanswered
    http::ExchangePtr _answered;            ///< not delivered yet
    std::shared_ptr<http::StreamQueue> _stream;
    std::string _peer;
    SteadyTime _deadline = SteadyTime::max();
    State _state = State::Reading;
    const bool _refuse;
    bool _headOnly = false;
    bool _keepAlive = false; ///< after the answer that is sent
    bool _chunked = false;   ///< the stream that is sent
    bool _last = false;      ///< the stream is closed; what is queued is its end
    bool _pumping = false;
    bool _readable = false; ///< an operation waits for it
    bool _writable = false; ///< as above
    bool _watched = false;  ///< by TCP keepalive
    bool _stalled = false;  ///< so much came ahead that nothing more is read
};

} // namespace octostore::http_beast
