// SPDX-License-Identifier: MIT
/// @file
/// Delivers over HTTP and HTTPS.
#pragma once

#include "EgressPolicy.h"
#include "Resolver.h"
#include "Sender.h"
#include "Watchdog.h"

#include <octostore/base/Mutex.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace octostore::webhooks
{

struct HttpSenderOptions
{
    Milliseconds connectTimeout{5'000};
    Milliseconds timeout{15'000}; ///< of an attempt without the look-up of the name
    std::string caBundle;         ///< PEM file with further roots, read for every connection
};

/// Connections are kept for reuse, a few for each receiver. Redirects are not followed, proxies of
/// the environment are ignored. Thread-safety: thread-safe.
class HttpSender final : public Sender
{
public:
    static constexpr std::size_t responseMax = std::size_t{16} * 1024;

    /// `resolver` must outlive this object.
    HttpSender(EgressPolicy policy, Resolver& resolver, HttpSenderOptions options);
    ~HttpSender() override;

    Attempt send(const Outgoing& message) noexcept override;
    void stop() noexcept override;

private:
    class Session;
    using Deadline = Watchdog::Clock::time_point;
    struct Idle
    {
        std::unique_ptr<Session> session;
        Watchdog::Clock::time_point since;
    };

    std::unique_ptr<Session> dial(const TargetUrl& url, Deadline& deadline, Attempt& attempt);
    std::unique_ptr<Session> connect(const TargetUrl& url, const http::IpAddress& address,
                                     Deadline deadline);
    void exchange(Session& session, const Outgoing& message, Deadline deadline, Attempt& attempt);
    bool tryIdle(const Outgoing& message, Attempt& attempt);
    std::unique_ptr<Session> takeIdle(const std::string& where) OCTOSTORE_EXCLUDES(_mutex);
    void keep(const std::string& where, std::unique_ptr<Session> session)
        OCTOSTORE_EXCLUDES(_mutex);

    const EgressPolicy _policy;
    Resolver& _resolver;
    const HttpSenderOptions _options;
    std::atomic<bool> _stopped{false};
    Watchdog _watchdog;
    Mutex _mutex;
    std::vector<std::pair<std::string, Idle>> _idle OCTOSTORE_GUARDED_BY(_mutex);
};

} // namespace octostore::webhooks
