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

/// The address of a server: `http[s]://HOST[:PORT][/PATH]`. Thread-safety: immutable.
class ServerUrl
{
public:
    /// Errors: InvalidInput for another scheme, a user or password (a secret does not belong into a
    /// command line), a query, a fragment, or a bad host or port.
    static Result<ServerUrl> parse(std::string_view text);

    bool secure() const noexcept { return _secure; }
    /// Without brackets.
    const std::string& host() const noexcept { return _host; }
    std::uint16_t port() const noexcept { return _port; }
    /// In front of every path; empty or with a leading and no trailing slash.
    const std::string& basePath() const noexcept { return _basePath; }
    /// `host` or `host:port`, as the Host header has it.
    std::string authority() const;
    /// The whole URL without a trailing slash.
    std::string text() const;
    /// `localhost`, 127.0.0.0/8 or ::1: what is sent there does not leave the machine.
    bool isLoopback() const noexcept;

private:
    ServerUrl() = default;

    bool _secure = false;
    std::string _host;
    std::uint16_t _port = 0;
    std::string _basePath;
};

/// Percent-encodes every byte except `A-Z a-z 0-9 - _ . ~`: one path segment or query value.
std::string encodeSegment(std::string_view text);

} // namespace octostore::client
