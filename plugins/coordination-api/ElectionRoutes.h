// SPDX-License-Identifier: MIT
/// @file
/// What is served under /elections.
#pragma once

#include "ElectionRequests.h"
#include "Submission.h"

#include <octostore/base/Random.h>
#include <octostore/http/Route.h>

#include <atomic>
#include <vector>

namespace octostore::coordination_api
{

/// New rooms, campaign, renew, resign, status and fence.
/// Thread-safety: thread-safe; handlers run on the exchange's thread.
class ElectionRoutes
{
public:
    /// `random` must outlive this object, and this object every exchange.
    ElectionRoutes(const Engine& engine, Random& random, Elections elections)
        : _engine(engine), _random(random), _elections(elections)
    {
    }

    std::vector<http::Route> routes() const;
    void set(Elections elections) noexcept { _elections = elections; }

private:
    void create(const http::ExchangePtr& exchange) const;
    void campaign(const http::ExchangePtr& exchange) const;
    void renew(const http::ExchangePtr& exchange) const;
    void resign(const http::ExchangePtr& exchange) const;
    void status(const http::ExchangePtr& exchange) const;
    void fence(const http::ExchangePtr& exchange) const;

    const Engine _engine;
    Random& _random;
    std::atomic<Elections> _elections;
};

} // namespace octostore::coordination_api
