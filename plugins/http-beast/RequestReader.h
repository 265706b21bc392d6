// SPDX-License-Identifier: MIT
/// @file
/// One request from the bytes of a connection.
#pragma once

#include <octostore/base/Result.h>
#include <octostore/http/Framing.h>
#include <octostore/http/Message.h>
#include <octostore/http/Transport.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace octostore::http_beast
{

/// Beast parses; what it would let pass is refused before (findHead) and after (checkHead). Lives
/// only while a request arrives: an idle connection has none. Thread-safety: thread-compatible.
class RequestReader
{
public:
    /// `options` must outlive this object.
    explicit RequestReader(const http::TransportOptions& options);
    ~RequestReader();

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
    const http::Framing& framing() const noexcept { return _framing; }
    http::Request take() { return std::move(_request); }

private:
    class Parser;
    enum class State : unsigned char
    {
        Head,
        Length,
        Chunks,
        Complete,
    };

    std::size_t feedHead(std::string_view bytes);
    std::size_t feedLength(std::string_view bytes);
    std::size_t feedChunks(std::string_view bytes);
    void readHead(std::string_view head);

    const http::TransportOptions& _options;
    State _state = State::Head;
    bool _started = false;
    std::string _unparsed; ///< a part of the head, or of a line between chunks
    http::Framing _framing;
    http::Request _request;
    std::unique_ptr<Parser> _parser;
};

} // namespace octostore::http_beast
