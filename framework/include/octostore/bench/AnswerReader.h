// SPDX-License-Identifier: MIT
/// @file
/// Cuts the bytes of a keep-alive connection into answers.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace octostore::bench
{

struct Answer
{
    int status = 0;        ///< 0: the connection broke before the answer was here
    std::string_view body; ///< valid until the reader is used again
    bool close = false;    ///< the server closes the connection
};

/// Knows as much of HTTP/1.1 as servers need to answer a JSON request: a status, Content-Length or
/// chunks. Thread-safety: thread-compatible.
class AnswerReader
{
public:
    /// Room for at least `size` more bytes; tell with wrote() how many came.
    char* room(std::size_t size);
    void wrote(std::size_t size) noexcept { _end += size; }

    /// The next answer when it is here whole. The bytes of the last one are gone.
    std::optional<Answer> take();
    /// What came is no answer this reader understands; the connection is of no use any more.
    bool broken() const noexcept { return _broken; }
    /// For a new connection.
    void reset() noexcept;

private:
    bool readHead(std::string_view text);
    std::optional<Answer> takeChunked(std::string_view body);

    std::string _bytes;
    std::size_t _begin = 0; ///< of what has not been taken
    std::size_t _end = 0;   ///< one past the last byte that came
    std::size_t _head = 0;  ///< length of the head; 0: not here yet
    std::size_t _length = 0;
    int _status = 0;
    bool _chunked = false;
    bool _close = false;
    bool _broken = false;
    std::string _joined; ///< of a chunked body
};

} // namespace octostore::bench
