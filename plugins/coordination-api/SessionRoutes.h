// SPDX-License-Identifier: MIT
/// @file
/// What is served under /sessions.
#pragma once

#include "Submission.h"

#include <octostore/base/Random.h>
#include <octostore/http/Route.h>

#include <vector>

namespace octostore::coordination_api
{

/// Opens, keeps alive, shows and closes sessions.
/// Thread-safety: immutable; handlers run on the exchange's thread.
class SessionRoutes
{
public:
    /// `random` must outlive this object, and this object every exchange.
    SessionRoutes(const Engine& engine, Random& random) : _engine(engine), _random(random) {}

    std::vector<http::Route> routes() const;

private:
    void open(const http::ExchangePtr& exchange) const;
    void keepAlive(const http::ExchangePtr& exchange) const;
    void show(const http::ExchangePtr& exchange) const;
    void close(const http::ExchangePtr& exchange) const;

    const Engine _engine;
    Random& _random;
};

} // namespace octostore::coordination_api
