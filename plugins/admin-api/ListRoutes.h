// SPDX-License-Identifier: MIT
/// @file
/// GET /admin/locks, elections, sessions, accounts and queues.
#pragma once

#include "ListQuery.h"
#include "Surroundings.h"

#include <octostore/http/Route.h>

#include <vector>

namespace octostore::admin_api
{

/// Thread-safety: immutable; handlers run on the exchange's thread.
class ListRoutes
{
public:
    /// Both must outlive every exchange.
    explicit ListRoutes(const Surroundings& around) : _around(around) {}
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
    /// Answers with what `render` makes: here, or on the lists' thread when there is much to sort.
    void render(const http::ExchangePtr& exchange, std::size_t items,
                std::function<http::Response()> render) const;

    const Surroundings& _around;
};

} // namespace octostore::admin_api
