// SPDX-License-Identifier: MIT
/// @file
/// Where a server is, and whether secrets may go there.
#pragma once

#include <octostore/base/Result.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace octostore::client
{

/// The address of a server: `http[s]://HOST[:PORT][/PATH]`, or `unix:/PATH` of a socket on this
/// machine. Thread-safety: immutable.
class ServerUrl
{
public:
    /// Errors: InvalidInput for another scheme, a user or password (a secret does not belong into a
    /// command line), a query, a fragment, a bad host or port, or a path that no socket can have.
    static Result<ServerUrl> parse(std::string_view text);

    bool secure() const noexcept { return _secure; }
    /// Where the socket is; empty: the server is reached by host() and port().
    const std::string& socketPath() const noexcept { return _socketPath; }
    /// Without brackets; `localhost` for a socket.
    const std::string& host() const noexcept { return _host; }
    std::uint16_t port() const noexcept { return _port; }
    /// In front of every path; empty or with a leading and no trailing slash.
    const std::string& basePath() const noexcept { return _basePath; }
    /// `host` or `host:port`, as the Host header has it.
    std::string authority() const;
    /// authority(), or `unix:/PATH`: what people are told.
    std::string place() const;
    /// The whole URL without a trailing slash.
    std::string text() const;
    /// `localhost`, 127.0.0.0/8, ::1 or a socket: what is sent there does not leave the machine.
    bool isLoopback() const noexcept;

private:
    ServerUrl() = default;

    static Result<ServerUrl> parseSocket(std::string_view text);

    bool _secure = false;
    std::string _socketPath;
    std::string _host;
    std::uint16_t _port = 0;
    std::string _basePath;
};

/// Percent-encodes every byte except `A-Z a-z 0-9 - _ . ~`: one path segment or query value.
std::string encodeSegment(std::string_view text);

} // namespace octostore::client
