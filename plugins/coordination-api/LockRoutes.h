// SPDX-License-Identifier: MIT
/// @file
/// What is served under /locks.
#pragma once

#include "Submission.h"

#include <octostore/base/Random.h>
#include <octostore/http/Route.h>

#include <vector>

namespace octostore::coordination_api
{

/// acquire, renew, release, status, fence and the list.
/// Thread-safety: immutable; handlers run on the exchange's thread.
class LockRoutes
{
public:
    /// `random` must outlive this object, and this object every exchange.
    LockRoutes(const Engine& engine, Random& random) : _engine(engine), _random(random) {}

    std::vector<http::Route> routes() const;

private:
    void acquire(const http::ExchangePtr& exchange) const;
    void renew(const http::ExchangePtr& exchange) const;
    void release(const http::ExchangePtr& exchange) const;
    void status(const http::ExchangePtr& exchange) const;
    void fence(const http::ExchangePtr& exchange) const;
    void list(const http::ExchangePtr& exchange) const;

    const Engine _engine;
    Random& _random;
};

} // namespace octostore::coordination_api
