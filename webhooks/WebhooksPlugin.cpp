// SPDX-License-Identifier: MIT
#include "WebhooksPlugin.h"

#include "Settings.h"

#include <octostore/base/Mistakes.h>

#include <algorithm>
#include <chrono>

namespace octostore::webhooks
{

std::vector<config::Key> WebhooksPlugin::keys() const
{
    return settingKeys();
}

Result<void> WebhooksPlugin::check(const config::View& configuration) const noexcept
{
    Mistakes mistakes;
    mistakes.add(egressPolicy(configuration));
    mistakes.add(retryRules(configuration));
    mistakes.add(configuredSecretBox(configuration));
    mistakes.add(checkCaBundle(configuration));
    return mistakes.result();
}

Result<void> WebhooksPlugin::configure(const plugin::Context& context) noexcept
{
    if (context.coordinator == nullptr || context.journal == nullptr)
        return Error{ErrorCode::Configuration, "it needs the engine and the journal"};
    _context = &context;
    return check(context.configuration);
}

Result<void> WebhooksPlugin::start(plugin::ExtensionRegistry& registry) noexcept
{
    if (auto opened = openStore(); !opened)
        return opened;
    if (auto opened = openDispatcher(); !opened)
        return opened;
    const config::View& configuration = _context->configuration;
    _routes = std::make_unique<WebhookRoutes>(
        RouteParts{*_store, *_dispatcher, *_log, *_policy, _context->clock, _context->random,
                   configuration.integer("webhooks.per_account")});
    registry.contribute<http::RouteProvider>("webhooks", *_routes);
    registry.contribute<event::Consumer>("webhooks", *this);
    registry.contribute<metrics::Source>("webhooks", *this);
    return {};
}

Result<void> WebhooksPlugin::openStore()
{
    const config::View& configuration = _context->configuration;
    auto box = secretBox(configuration);
    if (!box)
        return box.error();
    _box = *box;
    auto log = DeliveryLog::open(fileBesideStore(configuration, ".webhooks.log"), _context->clock,
                                 logLimits(configuration), _context->logger);
    if (!log)
        return log.error();
    _log = *std::move(log);
    _store = std::make_unique<WebhookStore>(StoreParts{*_context->coordinator, _context->clock,
                                                       _context->random, *_context->journal, *_box,
                                                       _context->logger});
    if (auto loaded = _store->load(); !loaded)
        return loaded;
    return openBox();
}

/// A new key is made only where nothing is sealed with an older one: that may come back.
Result<void> WebhooksPlugin::openBox()
{
    const std::string file = keyFile(_context->configuration);
    if (const std::size_t unreadable = _store->unreadable(); unreadable > 0)
        _context->logger.warning(
            "the key of the webhooks' secrets is missing or another one: those webhooks are "
            "inactive; put the key of the old server back and start again, or rotate their secrets",
            {{"key", file}, {"webhooks", std::uint64_t{unreadable}}});
    else if (!_box->usable())
    {
        auto made = SecretBox::open(file, _context->random);
        if (!made)
            return made.error();
        *_box = *made;
    }
    return {};
}

Result<void> WebhooksPlugin::openDispatcher()
{
    const config::View& configuration = _context->configuration;
    auto policy = egressPolicy(configuration);
    if (!policy)
        return policy.error();
    _policy = *std::move(policy);
    constexpr Milliseconds lookUpLimit{5'000};
    _resolver = std::make_unique<SystemResolver>(lookUpLimit);
    _sender = std::make_unique<HttpSender>(*_policy, *_resolver, senderOptions(configuration));
    auto rules = retryRules(configuration);
    if (!rules)
        return rules.error();
    DispatcherOptions options;
    options.retry = *std::move(rules);
    options.maxAge = configuration.duration("webhooks.max_age");
    options.workers = static_cast<unsigned>(configuration.integer("webhooks.concurrency"));
    options.incarnation = _store->incarnation();
    _dispatcher = std::make_unique<Dispatcher>(
        DispatcherParts{_context->clock, _context->random, *_context->journal, *_sender, *_store,
                        _log.get(), _figures, _context->logger},
        std::move(options));
    _store->attach(*_dispatcher);
    _dispatcher->start();
    return {};
}

void WebhooksPlugin::stop() noexcept
{
    _dispatcher->stop();
    _store->stop();
    _log->stop();
}

void WebhooksPlugin::events(const std::vector<event::EventPtr>& batch) noexcept
{
    if (!batch.empty())
        _dispatcher->wake();
}

void WebhooksPlugin::collect(metrics::Sink& sink) const noexcept
{
    const metrics::Metric attempts{"octostore_webhook_attempts_total",
                                   "Attempts to deliver something to a webhook."};
    sink.add(attempts, _figures.succeeded, {{"outcome", "success"}});
    sink.add(attempts, _figures.failed, {{"outcome", "failure"}});
    sink.add({"octostore_webhook_attempt_duration_seconds", "What attempts took."}, _figures.took);
    const metrics::Metric ended{"octostore_webhook_deliveries_total", "Deliveries that ended."};
    sink.add(ended, _figures.succeeded, {{"result", "succeeded"}});
    sink.add(ended, _figures.exhausted, {{"result", "exhausted"}});
    sink.add(ended, _figures.expired, {{"result", "expired"}});
    sink.add(ended, _figures.cancelled, {{"result", "cancelled"}});
    sink.add(
        {"octostore_webhook_egress_denied_total", "Attempts that the rules for addresses forbade."},
        _figures.egressDenied);
    sink.add({"octostore_webhook_disabled_total", "Webhooks the server has made inactive."},
             _figures.disabled);
    sink.add({"octostore_webhook_queue_length", "Deliveries that are known and not finished."},
             _figures.pending);
    sink.add({"octostore_webhook_in_flight", "Deliveries under way."}, _figures.inFlight);
    sink.counter({"octostore_webhook_log_dropped_total",
                  "Entries of the delivery log that were not written."},
                 static_cast<double>(_log->dropped()));
    const Dispatcher::Census census = _dispatcher->census();
    const metrics::Metric endpoints{"octostore_webhook_endpoints", "Webhooks there are."};
    const auto gauge =
        [&sink](const metrics::Metric& metric, std::size_t count, const metrics::Labels& labels)
    { sink.gauge(metric, static_cast<double>(count), labels); };
    gauge(endpoints, census.active, {{"state", "active"}});
    gauge(endpoints, census.paused, {{"state", "paused"}});
    gauge(endpoints, census.disabled, {{"state", "disabled"}});
    gauge({"octostore_webhook_breaker_open", "Webhooks that get a pause because they fail."},
          census.breakersOpen, {});
    const auto age =
        census.oldest ? _context->clock.wallTime() - *census.oldest : std::chrono::nanoseconds(0);
    sink.gauge({"octostore_webhook_oldest_pending_seconds",
                "How long ago the oldest event that is not delivered happened."},
               std::max(0.0, std::chrono::duration<double>(age).count()));
}

} // namespace octostore::webhooks
