// SPDX-License-Identifier: MIT
#include "Surroundings.h"

#include <octostore/http/ErrorResponse.h>
#include <octostore/http/Identity.h>

#include <iterator>
#include <utility>

namespace octostore::admin_api
{

coordination::Request requestOf(const http::Exchange& exchange, std::string name,
                                coordination::Operation operation)
{
    coordination::Request request;
    request.name = std::move(name);
    request.operation = std::move(operation);
    request.actor = {event::ActorKind::Admin, exchange.caller().name};
    request.id = exchange.id();
    request.arrived = exchange.request().arrived;
    return request;
}

coordination::Ticket ask(const Surroundings& around, const http::ExchangePtr& exchange,
                         coordination::Request request,
                         std::function<void(coordination::Reply)> done)
{
    return around.coordinator.submit(
        std::move(request), exchange->executor(),
        [exchange, done = std::move(done)](coordination::Reply reply)
        {
            const auto* refused = std::get_if<coordination::Refused>(&reply);
            if (refused == nullptr)
                return done(std::move(reply));
            http::ErrorDetails details;
            details.retryAfterSeconds = refused->retryAfterSeconds;
            exchange->respond(http::errorResponse(refused->error, exchange->id(), details));
        });
}

std::vector<http::Account> allAccounts(const plugin::ExtensionRegistry& registry)
{
    std::vector<http::Account> all;
    for (const http::AuthProvider* provider : registry.all<http::AuthProvider>())
    {
        std::vector<http::Account> more = provider->accounts();
        std::move(more.begin(), more.end(), std::back_inserter(all));
    }
    return all;
}

} // namespace octostore::admin_api
