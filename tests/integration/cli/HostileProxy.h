// SPDX-License-Identifier: MIT
/// @file
/// A TCP proxy that does to answers what networks and bad proxies do.
#pragma once

#include "support/ConnectionHost.h"

#include <octostore/base/Mutex.h>
#include <octostore/base/Time.h>

#include <cstdint>
#include <functional>
#include <string>

namespace octostore::test
{

/// What happens to the answer of one request. The server has acted by then.
enum class Mischief
{
    None,
    DropAnswer,   ///< the connection ends without a byte
    HalfClose,    ///< half of the answer, then the end
    TruncateJson, ///< a whole HTTP answer, half of its JSON
    Oversize,     ///< 1 MiB + 1 of blanks behind the head of the answer
    Delay,        ///< delay() later
    Swallow,      ///< the request never reaches the server, the connection stays open
};

/// Listens on a free port of 127.0.0.1 that stays the same when the server behind moves. One
/// request is one read of the client's bytes, which is so for requests as short as ours.
/// Thread-safety: thread-safe; the choice is made on the connections' threads.
class HostileProxy
{
public:
    /// Gets the first line of the request: method, path and version.
    using Choice = std::function<Mischief(const std::string& request)>;

    explicit HostileProxy(std::uint16_t target);
    HostileProxy(const HostileProxy&) = delete;
    HostileProxy& operator=(const HostileProxy&) = delete;

    std::string url() const { return "http://127.0.0.1:" + std::to_string(_host.port()); }
    void setTarget(std::uint16_t target) OCTOSTORE_EXCLUDES(_mutex);
    void setChoice(Choice choice) OCTOSTORE_EXCLUDES(_mutex);
    void setDelay(Milliseconds delay) OCTOSTORE_EXCLUDES(_mutex);

private:
    void serve(int client);
    bool passOn(int client, int server, const std::string& request);
    Mischief choose(const std::string& request) OCTOSTORE_EXCLUDES(_mutex);

    Mutex _mutex;
    std::uint16_t _target OCTOSTORE_GUARDED_BY(_mutex);
    Choice _choice OCTOSTORE_GUARDED_BY(_mutex);
    Milliseconds _delay OCTOSTORE_GUARDED_BY(_mutex){0};
    ConnectionHost _host; // last: its threads use the rest
};

} // namespace octostore::test
