// SPDX-License-Identifier: MIT
/// @file
/// From an exchange to the handler of its route, and everything every answer has in common.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Digest.h>
#include <octostore/base/Log.h>
#include <octostore/base/Result.h>
#include <octostore/base/Time.h>
#include <octostore/http/CredentialCheck.h>
#include <octostore/http/Identity.h>
#include <octostore/http/Route.h>
#include <octostore/http/Transport.h>

#include <memory>
#include <optional>
#include <vector>

namespace octostore::http
{

class Authenticator;
class CredentialsInUse;
class RouteTable;

/// In this order: faults of the head, OPTIONS, route (404, 405), credential (401, 403), filters,
/// faults of the body (413), content type (415), JSON (400, 422), handler. Every answer gets
/// X-Request-Id and the CORS headers.
/// Thread-safety: thread-safe. Must outlive every exchange it was given.
class OCTOSTORE_API Router final : public Dispatcher, public CredentialCheck
{
public:
    struct Setup
    {
        std::vector<Route> routes;
        /// Asked in this order. They and the filters must outlive the router.
        std::vector<const AuthProvider*> authProviders;
        std::vector<Filter*> filters;
        /// SHA-256 of the admin key; nothing: there is none.
        std::optional<Digest> adminKey;
    };

    /// `clock` must outlive the router. Errors: Configuration when a pattern is malformed or two
    /// routes claim the same method and path.
    static Result<std::unique_ptr<Router>> open(Setup setup, Logger logger, const Clock& clock);
    ~Router() override;

    void dispatch(const ExchangePtr& exchange) noexcept override;
    /// Nothing: there is none. Requests under way that came with another end.
    void setAdminKey(std::optional<Digest> adminKey);
    void credentialsChanged() noexcept override;

private:
    struct Passage;

    Router(std::unique_ptr<RouteTable> table, Setup setup, Logger logger, const Clock& clock);
    void pass(const ExchangePtr& exchange, Passage& passage);
    const Route* findRoute(Exchange& exchange);
    bool authenticate(Exchange& exchange, const Route& route);
    void deny(Exchange& exchange, const Route& route, const Error& error);
    bool filter(Exchange& exchange, Passage& passage);
    bool acceptBody(Exchange& exchange, const Route& route);
    void finish(Exchange& exchange, Response& response, const Passage& passage) const;

    const std::unique_ptr<RouteTable> _table;
    const std::unique_ptr<Authenticator> _authenticator;
    const std::unique_ptr<CredentialsInUse> _credentials;
    const std::vector<Filter*> _filters;
    const Logger _logger;
    const Clock& _clock;
};

} // namespace octostore::http
