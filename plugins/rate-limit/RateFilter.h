// SPDX-License-Identifier: MIT
/// @file
/// Refuses clients that ask or guess too often.
#pragma once

#include "RateSettings.h"
#include "WindowTable.h"

#include <octostore/base/Mutex.h>
#include <octostore/base/Time.h>
#include <octostore/http/Route.h>
#include <octostore/metrics/Source.h>

#include <cstddef>
#include <memory>
#include <optional>

namespace octostore::rate_limit
{

/// Routes that declare `admission` share one budget for each client; all others are never touched.
/// A request whose body was refused (413, 415, 400 or 422 for its shape) gives its share back.
/// Wrong credentials have a budget of their own: when it is used up, further wrong ones are
/// answered 429 with the reason `wrong_credentials` instead of 401: such a client must not wait,
/// its credential is wrong. Good ones are not looked at, so nobody behind the same address is
/// locked out.
/// Thread-safety: thread-safe.
class RateFilter final : public http::Filter, public metrics::Source
{
public:
    /// `clock` must outlive this object.
    RateFilter(const Clock& clock, RateSettings settings, std::size_t clientsMax = 10'000);

    void replace(RateSettings settings) OCTOSTORE_EXCLUDES(_mutex);

    std::optional<http::Response> before(http::Exchange& exchange,
                                         const http::Route& route) noexcept override;
    void after(http::Exchange& exchange, const http::Route& route,
               http::Response& response) noexcept override;
    std::optional<http::Response> denied(http::Exchange& exchange, const http::Route& route,
                                         const Error& error) noexcept override;
    void collect(metrics::Sink& sink) const noexcept override;

private:
    std::shared_ptr<const RateSettings> settings() const OCTOSTORE_EXCLUDES(_mutex);

    const Clock& _clock;
    WindowTable _requests;
    WindowTable _failures;
    metrics::Counter _requestsRefused;
    metrics::Counter _guessesRefused;
    mutable Mutex _mutex;
    std::shared_ptr<const RateSettings> _settings OCTOSTORE_GUARDED_BY(_mutex);
};

} // namespace octostore::rate_limit
