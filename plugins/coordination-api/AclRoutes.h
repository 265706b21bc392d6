// SPDX-License-Identifier: MIT
/// @file
/// What is served under /locks/{name}/acl.
#pragma once

#include "Submission.h"

#include <octostore/http/Route.h>

#include <vector>

namespace octostore::coordination_api
{

/// Replaces and drops the access list of a name.
/// Thread-safety: immutable; handlers run on the exchange's thread.
class AclRoutes
{
public:
    /// This object must outlive every exchange.
    explicit AclRoutes(const Engine& engine) : _engine(engine) {}

    std::vector<http::Route> routes() const;

private:
    void replace(const http::ExchangePtr& exchange) const;
    void drop(const http::ExchangePtr& exchange) const;

    const Engine _engine;
};

} // namespace octostore::coordination_api
