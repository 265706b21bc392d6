// SPDX-License-Identifier: MIT
/// @file
/// From names to addresses.
#pragma once

#include <octostore/base/Result.h>
#include <octostore/base/Time.h>
#include <octostore/http/IpAddress.h>

#include <atomic>
#include <string>
#include <vector>

namespace octostore::webhooks
{

/// Thread-safety: thread-safe.
class Resolver
{
public:
    virtual ~Resolver() = default;
    /// At least one address. Blocks, at most for the time the resolver allows itself.
    /// Errors: UpstreamUnavailable.
    virtual Result<std::vector<http::IpAddress>> resolve(const std::string& host) noexcept = 0;
    /// Nobody waits for a look-up any longer, now and later.
    virtual void stop() noexcept {}
};

/// The system's. Each look-up runs on a thread of its own, because nothing can end one; after
/// `limit` it is left alone, and while many are left so there are no new ones.
class SystemResolver final : public Resolver
{
public:
    explicit SystemResolver(Milliseconds limit) : _limit(limit) {}
    Result<std::vector<http::IpAddress>> resolve(const std::string& host) noexcept override;
    void stop() noexcept override { _stopped = true; }

private:
    const Milliseconds _limit;
    std::atomic<bool> _stopped{false};
};

} // namespace octostore::webhooks
