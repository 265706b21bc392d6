// SPDX-License-Identifier: MIT
/// @file
/// GET /admin/locks, elections, sessions, accounts and queues.
#pragma once

#include "ListQuery.h"
#include "Lists.h"
#include "Surroundings.h"
#include "Surveys.h"

#include <octostore/http/Route.h>

#include <vector>

namespace octostore::admin_api
{

/// Thread-safety: immutable; handlers run on the exchange's thread.
class ListRoutes
{
public:
    /// All must outlive every exchange.
    ListRoutes(const Surroundings& around, const Surveys& surveys)
        : _around(around), _surveys(surveys)
    {
    }
    std::vector<http::Route> routes() const;

private:
    void locks(const http::ExchangePtr& exchange) const;
    void elections(const http::ExchangePtr& exchange) const;
    void sessions(const http::ExchangePtr& exchange) const;
    void accounts(const http::ExchangePtr& exchange) const;
    void queue(const http::ExchangePtr& exchange) const;
    /// Asks for a copy and answers with what `render` makes of it.
    template <class Survey, class Render>
    void list(const http::ExchangePtr& exchange, coordination::Query query, const ListQuery& list,
              Render render) const;
    Reader readerOf(const http::Exchange& exchange) const;

    const Surroundings& _around;
    const Surveys& _surveys;
};

} // namespace octostore::admin_api
