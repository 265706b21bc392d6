// SPDX-License-Identifier: MIT
#include "Authenticator.h"
#include "Cors.h"
#include "CredentialsInUse.h"
#include "RouteTable.h"

#include <octostore/base/Json.h>
#include <octostore/base/Text.h>
#include <octostore/http/ErrorResponse.h>
#include <octostore/http/Router.h>

#include <chrono>
#include <exception>
#include <utility>

namespace octostore::http
{

namespace
{

/// `application/json` with any parameters, or `application/*+json`.
bool isJsonType(const std::string* contentType)
{
    if (contentType == nullptr)
        return false;
    const std::string_view text = *contentType;
    const std::string type = toLower(trim(text.substr(0, text.find(';'))));
    constexpr std::string_view prefix = "application/";
    constexpr std::string_view suffix = "+json";
    if (type == "application/json")
        return true;
    return type.size() > prefix.size() + suffix.size() &&
           type.compare(0, prefix.size(), prefix) == 0 &&
           type.compare(type.size() - suffix.size(), suffix.size(), suffix) == 0;
}

} // namespace

/// How far an exchange got.
struct Router::Passage
{
    const Route* route = nullptr;
    std::size_t filters = 0; ///< that let it pass
};

Result<std::unique_ptr<Router>> Router::open(Setup setup, Logger logger, const Clock& clock)
{
    auto table = RouteTable::build(std::move(setup.routes));
    if (!table)
        return table.error();
    return std::unique_ptr<Router>(new Router(std::make_unique<RouteTable>(std::move(*table)),
                                              std::move(setup), std::move(logger), clock));
}

Router::Router(std::unique_ptr<RouteTable> table, Setup setup, Logger logger, const Clock& clock)
    : _table(std::move(table)),
      _authenticator(
          std::make_unique<Authenticator>(std::move(setup.authProviders), setup.adminKey)),
      _credentials(std::make_unique<CredentialsInUse>(*_authenticator)),
      _filters(std::move(setup.filters)),
      _logger(std::move(logger)),
      _clock(clock)
{
}

Router::~Router() = default;

void Router::setAdminKey(std::optional<Digest> adminKey)
{
    _authenticator->setAdminKey(adminKey);
    credentialsChanged();
}

void Router::credentialsChanged() noexcept
{
    _credentials->check();
}

void Router::dispatch(const ExchangePtr& exchange) noexcept
{
    const auto passage = std::make_shared<Passage>();
    exchange->setFinisher([this, passage](Exchange& answered, Response& response)
                          { finish(answered, response, *passage); });
    const auto failed = [&](const char* what)
    {
        _logger.error("a handler failed",
                      {{"request_id", toWire(exchange->id())},
                       {"what", what},
                       {"route", passage->route == nullptr ? std::string_view("-")
                                                           : passage->route->pattern}});
        exchange->respond(Error{ErrorCode::Internal, {}});
    };
    try
    {
        pass(exchange, *passage);
    }
    catch (const std::exception& fault)
    {
        failed(fault.what());
    }
    catch (...)
    {
        failed("not a std::exception");
    }
}

void Router::pass(const ExchangePtr& exchange, Passage& passage)
{
    const Request& request = exchange->request();
    const bool tooLarge = request.fault && request.fault->code == ErrorCode::PayloadTooLarge;
    if (request.fault && !tooLarge)
        return exchange->respond(*request.fault);
    if (request.method == Method::Options)
        return exchange->respond(preflightResponse());

    passage.route = findRoute(*exchange);
    if (passage.route == nullptr || !authenticate(*exchange, *passage.route) ||
        !filter(*exchange, passage) || !acceptBody(*exchange, *passage.route))
        return;
    passage.route->handler(exchange);
}

const Route* Router::findRoute(Exchange& exchange)
{
    const Request& request = exchange.request();
    auto found = _table->find(request.method, request.path());
    if (!found)
    {
        exchange.respond(found.error());
        return nullptr;
    }
    if (found->route == nullptr)
    {
        Response response = errorResponse(
            {ErrorCode::MethodNotAllowed, "Use one of: " + std::string(found->allow) + "."},
            exchange.id());
        response.headers.add("allow", std::string(found->allow));
        exchange.respond(std::move(response));
        return nullptr;
    }
    exchange.setParameters(std::move(found->parameters));
    return found->route;
}

bool Router::authenticate(Exchange& exchange, const Route& route)
{
    if (route.access == Access::Public)
        return true;
    auto identity = _authenticator->authenticate(exchange.request().headers, route.access);
    if (!identity)
    {
        deny(exchange, route, identity.error());
        return false;
    }
    exchange.setIdentity(std::move(*identity));
    exchange.setCredentials(*_credentials);
    return true;
}

void Router::deny(Exchange& exchange, const Route& route, const Error& error)
{
    for (Filter* filter : _filters)
    {
        if (std::optional<Response> instead = filter->denied(exchange, route, error))
            return exchange.respond(std::move(*instead));
    }
    exchange.respond(error);
}

bool Router::filter(Exchange& exchange, Passage& passage)
{
    for (Filter* filter : _filters)
    {
        if (std::optional<Response> refusal = filter->before(exchange, *passage.route))
        {
            exchange.respond(std::move(*refusal));
            return false;
        }
        ++passage.filters;
    }
    return true;
}

bool Router::acceptBody(Exchange& exchange, const Route& route)
{
    const Request& request = exchange.request();
    std::optional<Error> refusal = request.fault;
    if (!refusal && route.body == Body::Json)
    {
        if (!isJsonType(request.headers.find("content-type")))
        {
            refusal = Error{ErrorCode::UnsupportedMediaType,
                            "Send the header `Content-Type: application/json`."};
        }
        else if (auto json = readJson(request.body); json)
        {
            exchange.setJson(std::move(*json));
        }
        else
        {
            refusal = json.error();
        }
    }
    if (refusal)
        exchange.respond(*refusal);
    return !refusal;
}

void Router::finish(Exchange& exchange, Response& response, const Passage& passage) const
{
    for (std::size_t i = passage.filters; i-- > 0;)
        _filters[i]->after(exchange, *passage.route, response);
    response.headers.set("x-request-id", toWire(exchange.id()));
    addCors(exchange.request(), response);
    if (passage.route == nullptr && exchange.request().method != Method::Options)
    {
        for (Filter* filter : _filters)
            filter->unmatched(exchange, response);
    }
    if (!_logger.enabled(LogLevel::Debug))
        return;
    const auto took = _clock.bootTime() - exchange.request().arrived;
    _logger.debug(
        "request",
        {{"request_id", toWire(exchange.id())},
         {"method", methodName(exchange.request().method)},
         {"route", passage.route == nullptr ? std::string_view("-") : passage.route->pattern},
         {"status", response.status},
         {"duration_us", std::chrono::duration_cast<std::chrono::microseconds>(took).count()}});
}

} // namespace octostore::http
