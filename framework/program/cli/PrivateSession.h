// SPDX-License-Identifier: MIT
/// @file
/// The session that one hold has for itself, so that two holds with one token contend.
#pragma once

#include "Claim.h"

#include <octostore/client/TokenSource.h>

namespace octostore::program
{

/// Thread-safety: thread-compatible.
class PrivateSession
{
public:
    static constexpr std::chrono::seconds ttl{30};

    /// `token` must outlive this.
    explicit PrivateSession(client::TokenSource& token) : _token(token) {}

    client::HttpRequest opening();
    ExtensionVerdict readOpening(const client::HttpOutcome& outcome);
    client::HttpRequest keepalive();
    ExtensionVerdict readKeepalive(const client::HttpOutcome& outcome);
    /// Ends its locks too.
    client::HttpRequest ending();
    /// Nothing: confirmed.
    std::optional<client::Failure> readEnding(const client::HttpOutcome& outcome);

    bool isOpen() const noexcept { return !_id.empty(); }
    const std::string& id() const noexcept { return _id; }
    /// It is over; opening() makes a new one.
    void forget() noexcept { _id.clear(); }

private:
    client::HttpRequest request(const char* method, const std::string& path, std::string body);

    client::TokenSource& _token;
    std::string _id;
};

} // namespace octostore::program
