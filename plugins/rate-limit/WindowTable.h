// SPDX-License-Identifier: MIT
/// @file
/// How much each client has used of its budget for this minute.
#pragma once

#include <octostore/base/Mutex.h>
#include <octostore/base/Time.h>
#include <octostore/http/IpAddress.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>

namespace octostore::rate_limit
{

/// Where a client stands.
struct Standing
{
    bool admitted = true;
    std::uint32_t remaining = 0;
    /// Whole seconds after which the client has a whole budget again; at least 1.
    unsigned secondsLeft = 1;
};

/// A window of a client starts with its first request and is 60 s long; the first request after it
/// starts the next. Refused requests are not counted. How long to wait is told in whole seconds
/// rounded down, and the last second of a used-up window is forgiven: who waits as long as told is
/// never refused again for having come too early.
/// At most `clientsMax` clients have a window of their own; when there are as many, all others
/// share one, so that memory is bounded and those already here keep what they have.
/// Thread-safety: thread-safe.
class WindowTable
{
public:
    static constexpr std::chrono::seconds length{60};

    explicit WindowTable(std::size_t clientsMax) : _clientsMax(clientsMax) {}

    /// Counts one request, unless `budget` is used up.
    Standing admit(const http::IpAddress& client, std::uint32_t budget, BootTime now)
        OCTOSTORE_EXCLUDES(_mutex);
    /// Takes back one that was admitted.
    void refund(const http::IpAddress& client) OCTOSTORE_EXCLUDES(_mutex);
    /// Counts nothing.
    Standing look(const http::IpAddress& client, std::uint32_t budget, BootTime now) const
        OCTOSTORE_EXCLUDES(_mutex);
    std::size_t clients() const OCTOSTORE_EXCLUDES(_mutex);

private:
    struct Window
    {
        http::IpAddress::Bytes client;
        BootTime start;
        std::uint32_t used = 0;
    };
    using Windows = std::list<Window>;

    static bool isOver(const Window& window, std::uint32_t budget, BootTime now) noexcept;
    static Standing standing(const Window& window, std::uint32_t budget, BootTime now) noexcept;
    Window& current(const http::IpAddress& client, std::uint32_t budget, BootTime now)
        OCTOSTORE_REQUIRES(_mutex);
    void dropLapsed(BootTime now) OCTOSTORE_REQUIRES(_mutex);

    const std::size_t _clientsMax;
    mutable Mutex _mutex;
    Windows _windows OCTOSTORE_GUARDED_BY(_mutex); ///< by start, oldest first
    std::map<http::IpAddress::Bytes, Windows::iterator> _byClient OCTOSTORE_GUARDED_BY(_mutex);
    Window _shared OCTOSTORE_GUARDED_BY(_mutex); ///< of all who have none of their own
};

} // namespace octostore::rate_limit
