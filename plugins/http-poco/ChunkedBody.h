// SPDX-License-Identifier: MIT
/// @file
/// A strict reader of chunked bodies.
#pragma once

#include <octostore/base/Result.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace octostore::http_poco
{

/// Poco's own reader takes a chunk size it cannot parse as the end of the body; what follows would
/// be read as another request. Thread-safety: thread-compatible.
class ChunkedBody
{
public:
    /// `bodyMax`: bytes of content. `linesMax`: bytes of one size line, or of all trailers.
    ChunkedBody(std::size_t bodyMax, std::size_t linesMax) : _bodyMax(bodyMax), _linesMax(linesMax)
    {
    }

    /// Takes what belongs to the body and appends its content to `body`; returns how many bytes
    /// that were. Errors: Malformed, PayloadTooLarge; answer and close.
    Result<std::size_t> feed(std::string_view bytes, std::string& body);
    bool done() const noexcept { return _state == State::Done; }

private:
    enum class State
    {
        Size,
        Data,
        DataEnd,
        Trailers,
        Done,
    };

    Result<bool> takeLine(std::string_view& bytes);
    Result<void> takeSize(std::size_t bodySize);
    void takeData(std::string_view& bytes, std::string& body);
    Result<void> endOfLine(std::size_t bodySize);

    const std::size_t _bodyMax;
    const std::size_t _linesMax;
    State _state = State::Size;
    std::string _line;
    std::size_t _trailers = 0;
    std::size_t _left = 0; ///< of the chunk
};

} // namespace octostore::http_poco
