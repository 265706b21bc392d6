// SPDX-License-Identifier: MIT
/// @file
/// One request from the bytes of a connection: what every transport does alike.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Result.h>
#include <octostore/http/Framing.h>
#include <octostore/http/Message.h>
#include <octostore/http/Transport.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace octostore::http
{

/// Finds the head, checks it, and knows when the request is whole; a transport says how a head and
/// a body are taken apart. What its parser would let pass is refused before (findHead) and after
/// (checkHead). Thread-safety: thread-compatible.
class OCTOSTORE_API RequestReader
{
public:
    /// `options` must outlive this object.
    explicit RequestReader(const TransportOptions& options) : _options(options) {}
    virtual ~RequestReader();
    RequestReader(const RequestReader&) = delete;
    RequestReader& operator=(const RequestReader&) = delete;

    /// Takes what belongs to this request; returns how many bytes that were.
    std::size_t feed(std::string_view bytes);
    /// Whether any byte has come.
    bool started() const noexcept { return _started; }
    /// Whether the request is whole or was refused.
    bool complete() const noexcept { return _state == State::Complete; }
    /// True once, when the client waits for `100 Continue` before it sends the body.
    bool takeContinue() noexcept;
    /// Ends the request with an error.
    void fail(Error error);

    /// How long the connection lives after this request; never for a refused one.
    const Framing& framing() const noexcept { return _framing; }
    Request take() { return std::move(_request); }

protected:
    struct StartLine
    {
        std::string method;
        std::string version; ///< `HTTP/1.1`
    };

    /// Fills method, target and headers of request() from a whole head.
    virtual Result<StartLine> parseHead(std::string_view head) = 0;
    /// Each takes bytes of the body, calls bodyDone() or fail(), and returns how many bytes it
    /// took.
    virtual std::size_t feedLength(std::string_view bytes) = 0;
    virtual std::size_t feedChunks(std::string_view bytes) = 0;

    void bodyDone() noexcept { _state = State::Complete; }
    Error bodyTooLong() const;
    Request& request() noexcept { return _request; }
    const TransportOptions& options() const noexcept { return _options; }

private:
    enum class State : unsigned char
    {
        Head,
        Length,
        Chunks,
        Complete,
    };

    std::size_t feedHead(std::string_view bytes);
    void readHead(std::string_view head);

    const TransportOptions& _options;
    State _state = State::Head;
    bool _started = false;
    std::string _head; ///< a part of it; empty as long as it comes in one piece
    Framing _framing;
    Request _request;
};

} // namespace octostore::http
