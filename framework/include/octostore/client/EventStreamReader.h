// SPDX-License-Identifier: MIT
/// @file
/// Takes server-sent events apart.
#pragma once

#include <octostore/base/Time.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::client
{

/// How long a stream may be silent: the server says something every 15 s.
constexpr Milliseconds streamSilenceMax{45'000};
/// The pause before connecting again where the server has not said how long.
constexpr Milliseconds streamPause{1000};

/// One frame that had data or a name.
struct StreamEvent
{
    std::string name; ///< empty: not given
    std::string data;
};

/// Frames end with an empty line (LF or CRLF). Thread-safety: thread-compatible.
class EventStreamReader
{
public:
    static constexpr std::size_t frameMax = std::size_t{64} * 1024;

    /// The frames that `bytes` completes. Nothing when a frame is longer than frameMax: the stream
    /// is of no use any more.
    std::optional<std::vector<StreamEvent>> push(std::string_view bytes);

    /// The last `id:` seen; empty: none.
    const std::string& lastEventId() const noexcept { return _lastEventId; }
    /// How long to pause before connecting again, as the server says.
    std::optional<Milliseconds> retry() const noexcept { return _retry; }
    /// Forgets a frame that was not complete: the connection is another now.
    void restart();

private:
    void takeLine(std::string_view line, std::vector<StreamEvent>& events);
    void takeField(std::string_view field, std::string_view value);

    std::string _line;
    StreamEvent _current;
    bool _hasData = false;
    std::size_t _frameSize = 0;
    std::string _lastEventId;
    std::optional<Milliseconds> _retry;
};

} // namespace octostore::client
