// SPDX-License-Identifier: MIT
/// @file
/// What administrators do: end leases and sessions, have the configuration read again.
#pragma once

#include "Surroundings.h"

#include <octostore/http/Route.h>

#include <vector>

namespace octostore::admin_api
{

/// Thread-safety: immutable; handlers run on the exchange's thread.
class ActionRoutes
{
public:
    /// Both must outlive every exchange.
    explicit ActionRoutes(const Surroundings& around) : _around(around) {}
    std::vector<http::Route> routes() const;

private:
    void forceRelease(const http::ExchangePtr& exchange) const;
    void forceResign(const http::ExchangePtr& exchange) const;
    void endSession(const http::ExchangePtr& exchange) const;
    void reload(const http::ExchangePtr& exchange) const;
    /// Ends the lease of `name` if it has the term that the body says; `answer` makes the answer
    /// out of the term.
    void forceEnd(const http::ExchangePtr& exchange, const std::string& name,
                  std::function<std::string(Term)> answer) const;

    const Surroundings& _around;
};

} // namespace octostore::admin_api
