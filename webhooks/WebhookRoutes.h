// SPDX-License-Identifier: MIT
/// @file
/// What is served under /webhooks.
#pragma once

#include "DeliveryLog.h"
#include "Dispatcher.h"
#include "EgressPolicy.h"
#include "WebhookStore.h"

#include <octostore/base/Random.h>
#include <octostore/http/Route.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace octostore::webhooks
{

/// What the routes work with; all must outlive every exchange.
struct RouteParts
{
    WebhookStore& store;
    Dispatcher& dispatcher;
    DeliveryLog& log;
    const EgressPolicy& policy;
    const Clock& clock;
    Random& random;
    std::size_t perAccount = 10;
};

/// A webhook is seen by its owner and by administrators; to everybody else there is none.
/// Thread-safety: immutable; handlers run on the exchange's thread.
class WebhookRoutes final : public http::RouteProvider
{
public:
    explicit WebhookRoutes(RouteParts parts) : _parts(parts) {}
    std::vector<http::Route> routes() override;

private:
    using Handler = void (WebhookRoutes::*)(const http::ExchangePtr&, const WebhookPtr&) const;
    http::Route route(http::Method method, const std::string& tail, http::Body body,
                      Handler handler) const;

    // WebhookRoutes.cpp
    void create(const http::ExchangePtr& exchange) const;
    void list(const http::ExchangePtr& exchange) const;
    void show(const http::ExchangePtr& exchange, const WebhookPtr& webhook) const;
    void change(const http::ExchangePtr& exchange, const WebhookPtr& webhook) const;
    void remove(const http::ExchangePtr& exchange, const WebhookPtr& webhook) const;
    void rotate(const http::ExchangePtr& exchange, const WebhookPtr& webhook) const;

    // DeliveryRoutes.cpp
    void ping(const http::ExchangePtr& exchange, const WebhookPtr& webhook) const;
    void recover(const http::ExchangePtr& exchange, const WebhookPtr& webhook) const;
    void listDeliveries(const http::ExchangePtr& exchange, const WebhookPtr& webhook) const;
    void showDelivery(const http::ExchangePtr& exchange, const WebhookPtr& webhook) const;
    void redeliver(const http::ExchangePtr& exchange, const WebhookPtr& webhook) const;
    void findDelivery(const http::ExchangePtr& exchange, const WebhookPtr& webhook,
                      std::function<void(const DeliveryDetail&)> found) const;

    const RouteParts _parts;
};

} // namespace octostore::webhooks
