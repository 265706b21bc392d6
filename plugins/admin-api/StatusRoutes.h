// SPDX-License-Identifier: MIT
/// @file
/// GET /admin/me, status, servers, config and plugins.
#pragma once

#include "Surroundings.h"
#include "Surveys.h"

#include <octostore/http/Route.h>

#include <vector>

namespace octostore::admin_api
{

/// Thread-safety: immutable; handlers run on the exchange's thread.
class StatusRoutes
{
public:
    /// All must outlive every exchange.
    StatusRoutes(const Surroundings& around, const Surveys& surveys)
        : _around(around), _surveys(surveys)
    {
    }
    std::vector<http::Route> routes() const;

private:
    void me(const http::ExchangePtr& exchange) const;
    void status(const http::ExchangePtr& exchange) const;
    void servers(const http::ExchangePtr& exchange) const;
    void configuration(const http::ExchangePtr& exchange) const;
    void plugins(const http::ExchangePtr& exchange) const;
    std::uint64_t uptimeSeconds() const;

    const Surroundings& _around;
    const Surveys& _surveys;
};

} // namespace octostore::admin_api
