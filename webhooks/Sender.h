// SPDX-License-Identifier: MIT
/// @file
/// One attempt to deliver something.
#pragma once

#include "TargetUrl.h"

#include <octostore/base/Result.h>
#include <octostore/base/Time.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace octostore::webhooks
{

struct Outgoing
{
    TargetUrl url;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
};

struct Attempt
{
    int status = 0;     ///< 0: there was no answer
    std::string reason; ///< empty: success; else dns, connect, tls, timeout, egress_denied,
                        ///< http_3xx, http_4xx, http_5xx, protocol, stopped
    std::string detail; ///< for people
    std::optional<Milliseconds> retryAfter;
    std::string response; ///< at most 16 KiB of it
    Milliseconds took{0};

    bool succeeded() const noexcept { return reason.empty(); }
};

/// Thread-safety: thread-safe; send() blocks its thread.
class Sender
{
public:
    virtual ~Sender() = default;
    virtual Attempt send(const Outgoing& message) noexcept = 0;
    /// Ends every attempt that is under way, and all that come, at once.
    virtual void stop() noexcept = 0;
};

} // namespace octostore::webhooks
