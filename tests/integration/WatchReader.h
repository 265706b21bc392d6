// SPDX-License-Identifier: MIT
/// @file
/// Reads a stream of server-sent events over a socket, as a browser would.
#pragma once

#include "support/HttpClient.h"

#include <octostore/client/EventStreamReader.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::test
{

/// Remembers the last id and comes back with it. Thread-safety: thread-compatible.
class WatchReader
{
public:
    /// `token` empty: none. `lastEventId`: what it saw in an earlier life.
    WatchReader(std::string target, std::string_view token, std::string_view lastEventId = {});

    /// Connects (again); the status of the answer, 0 when there is none.
    int connect(std::uint16_t port);
    /// Closes the connection; a part of a frame that has come is lost.
    void cut();
    /// Reads what comes within `time`, at most one chunk. False: nothing came, or it has ended.
    bool read(std::chrono::milliseconds time);
    /// Reads until the stream has ended; false when it does not end cleanly.
    bool readToEnd();
    /// Reads until an event with this id has come.
    bool readUntilId(const std::string& id);

    const std::string& lastEventId() const { return _events.lastEventId(); }
    /// Ids of what came, without snapshots, in order; each as often as it came.
    const std::vector<std::string>& ids() const { return _ids; }
    /// Everything that came, as it came.
    const std::string& text() const { return _text; }
    bool wasReset() const { return _reset; }

private:
    void take(const std::string& chunk);

    const std::string _target;
    const std::string _authorization;
    std::unique_ptr<HttpClient> _client;
    client::EventStreamReader _events;
    std::vector<std::string> _ids;
    std::string _text;
    bool _reset = false;
};

} // namespace octostore::test
