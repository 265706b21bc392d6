// SPDX-License-Identifier: MIT
/// @file
/// A route that observers may read.
#pragma once

#include <octostore/http/Route.h>

namespace octostore::admin_api
{

/// `routes` must outlive the route.
template <class Routes>
http::Route readerRoute(const Routes& routes, const char* pattern,
                        void (Routes::*handler)(const http::ExchangePtr&) const)
{
    return {http::Method::Get,
            pattern,
            http::Access::Observer,
            http::Body::Ignored,
            false,
            [&routes, handler](const http::ExchangePtr& exchange) { (routes.*handler)(exchange); }};
}

} // namespace octostore::admin_api
