// SPDX-License-Identifier: MIT
/// @file
/// Webhooks: registered over HTTP, delivered from the journal.
#pragma once

#include "DeliveryLog.h"
#include "Dispatcher.h"
#include "EgressPolicy.h"
#include "Figures.h"
#include "HttpSender.h"
#include "Resolver.h"
#include "WebhookRoutes.h"
#include "WebhookStore.h"

#include <octostore/event/Consumer.h>
#include <octostore/metrics/Source.h>
#include <octostore/plugin/Plugin.h>

#include <memory>
#include <optional>
#include <vector>

namespace octostore::webhooks
{

/// Thread-safety: thread-affine(the program's main thread), but members of Consumer and Source.
class WebhooksPlugin final : public plugin::Plugin, public event::Consumer, public metrics::Source
{
public:
    std::vector<config::Key> keys() const override;
    Result<void> check(const config::View& configuration) const noexcept override;
    Result<void> configure(const plugin::Context& context) noexcept override;
    Result<void> start(plugin::ExtensionRegistry& registry) noexcept override;
    void stop() noexcept override;

    void events(const std::vector<event::EventPtr>& batch) noexcept override;
    void collect(metrics::Sink& sink) const noexcept override;

private:
    Result<void> openStore();
    Result<void> openBox();
    Result<void> openDispatcher();

    const plugin::Context* _context = nullptr;
    // In the order in which each needs those before it.
    Figures _figures;
    std::optional<EgressPolicy> _policy;
    std::optional<SecretBox> _box;
    std::unique_ptr<DeliveryLog> _log;
    std::unique_ptr<SystemResolver> _resolver;
    std::unique_ptr<HttpSender> _sender;
    std::unique_ptr<WebhookStore> _store;
    std::unique_ptr<Dispatcher> _dispatcher;
    std::unique_ptr<WebhookRoutes> _routes;
};

} // namespace octostore::webhooks
