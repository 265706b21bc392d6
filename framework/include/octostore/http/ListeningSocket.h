// SPDX-License-Identifier: MIT
/// @file
/// A socket that listens, for transports.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Result.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace octostore::http
{

/// Closes on exec; does not block. IPv6 addresses take IPv4 clients too. A path is made, for owner
/// and group, and removed when this object goes. Thread-safety: thread-compatible.
class OCTOSTORE_API ListeningSocket
{
public:
    /// `bind` as BindAddress::parse() takes it. Errors: Configuration (no address), Unavailable
    /// (in use, not ours, no permission).
    static Result<ListeningSocket> open(std::string_view bind);

    ListeningSocket(ListeningSocket&& other) noexcept;
    ListeningSocket& operator=(ListeningSocket&& other) = delete;
    ~ListeningSocket();

    int descriptor() const noexcept { return _descriptor; }
    /// 0 for a path.
    std::uint16_t port() const noexcept { return _port; }
    /// Gives the descriptor away; the path stays this object's.
    int release() noexcept;

private:
    ListeningSocket() = default;

    int _descriptor = -1;
    std::uint16_t _port = 0;
    std::string _path;
};

} // namespace octostore::http
