// SPDX-License-Identifier: MIT
#include "WebhookRoutes.h"

#include "Signature.h"
#include "WebhookFields.h"

#include <octostore/http/Query.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace octostore::webhooks
{

namespace
{

using http::ExchangePtr;

constexpr std::uint64_t graceDefault = 86'400, graceMost = 604'800;
constexpr std::size_t oldSecretsMax = 2;

Error notFound()
{
    return {ErrorCode::NotFound, "There is no such webhook."};
}

http::Response secretAnswer(std::string json, int status)
{
    http::Response response = http::jsonResponse(std::move(json), status);
    response.headers.add("cache-control", "no-store");
    return response;
}

} // namespace

http::Route WebhookRoutes::route(http::Method method, const std::string& tail, http::Body body,
                                 Handler handler) const
{
    return {method,
            "/webhooks/{id}" + tail,
            http::Access::User,
            body,
            false,
            [this, handler](const ExchangePtr& exchange)
            {
                const auto id = Uuid::parse(exchange->parameter("id"));
                if (!id)
                    return exchange->respond(
                        Error{ErrorCode::InvalidInput, "The id of the webhook is no UUID."});
                const WebhookPtr webhook = _parts.store.find(id->toString());
                const http::Identity& caller = exchange->caller();
                if (webhook == nullptr ||
                    (caller.role != http::Role::Admin && caller.principal != webhook->owner))
                    return exchange->respond(notFound());
                (this->*handler)(exchange, webhook);
            }};
}

std::vector<http::Route> WebhookRoutes::routes()
{
    using enum http::Method;
    using http::Body;
    using Self = WebhookRoutes;
    std::vector<http::Route> all;
    all.push_back({Post, "/webhooks", http::Access::User, Body::Json, false,
                   [this](const ExchangePtr& exchange) { create(exchange); }});
    all.push_back({Get, "/webhooks", http::Access::User, Body::Ignored, false,
                   [this](const ExchangePtr& exchange) { list(exchange); }});
    all.push_back(route(Get, "", Body::Ignored, &Self::show));
    all.push_back(route(Patch, "", Body::Json, &Self::change));
    all.push_back(route(Delete, "", Body::Ignored, &Self::remove));
    all.push_back(route(Post, "/ping", Body::Ignored, &Self::ping));
    all.push_back(route(Post, "/rotate-secret", Body::Json, &Self::rotate));
    all.push_back(route(Post, "/recover", Body::Json, &Self::recover));
    all.push_back(route(Get, "/deliveries", Body::Ignored, &Self::listDeliveries));
    all.push_back(route(Get, "/deliveries/{delivery_id}", Body::Ignored, &Self::showDelivery));
    all.push_back(
        route(Post, "/deliveries/{delivery_id}/redeliver", Body::Ignored, &Self::redeliver));
    return all;
}

void WebhookRoutes::create(const ExchangePtr& exchange) const
{
    const http::Identity& caller = exchange->caller();
    Webhook webhook;
    webhook.admin = caller.role == http::Role::Admin;
    if (auto read = readFields(exchange->json(), _parts.policy, true, webhook); !read)
        return exchange->respond(read.error());
    const auto secret = JsonFields(exchange->json()).optionalString("secret");
    if (!secret)
        return exchange->respond(secret.error());
    if (auto checked = checkSecret(secret->value_or("")); !checked)
        return exchange->respond(checked.error());
    std::optional<std::string> shown;
    if (!*secret)
        shown = secretOfKey(_parts.random.bytes<32>());
    webhook.secret = shown ? *shown : **secret;
    webhook.id = _parts.random.uuid().toString();
    webhook.owner = caller.principal;
    webhook.ownerName = caller.name;
    webhook.createdAt = fromUnixMilliseconds(unixMilliseconds(_parts.clock.wallTime()));
    _parts.store.create(exchange, webhook, _parts.perAccount,
                        [exchange, webhook, shown](const Result<void>& created)
                        {
                            if (!created)
                                return exchange->respond(created.error());
                            JsonWriter json;
                            json.beginObject();
                            writeFields(json, webhook, shown);
                            exchange->respond(secretAnswer(json.endObject().take(), 201));
                        });
}

void WebhookRoutes::list(const ExchangePtr& exchange) const
{
    const auto query = http::Query::parse(exchange->request().query());
    if (!query)
        return exchange->respond(query.error());
    const std::string* all = query->find("all");
    const http::Identity& caller = exchange->caller();
    const bool everybodys = all != nullptr && *all == "true" && caller.role == http::Role::Admin;
    JsonWriter json;
    json.beginArray();
    for (const WebhookPtr& webhook : _parts.store.all())
        if (everybodys || webhook->owner == caller.principal)
        {
            json.beginObject();
            writeFields(json, *webhook);
            json.endObject();
        }
    exchange->respond(http::jsonResponse(json.endArray().take()));
}

void WebhookRoutes::show(const ExchangePtr& exchange, const WebhookPtr& webhook) const
{
    const auto summary = _parts.dispatcher.summary(webhook->id);
    if (!summary)
        return exchange->respond(notFound());
    _parts.log.stats(webhook->id,
                     [exchange, executor = exchange->executor(), webhook,
                      summary = *summary](const DeliveryStats& stats)
                     {
                         JsonWriter json;
                         json.beginObject();
                         writeFields(json, *webhook);
                         writeStats(json, summary, stats);
                         executor->post({[exchange, text = json.endObject().take()]
                                         { exchange->respond(http::jsonResponse(text)); }});
                     });
}

void WebhookRoutes::change(const ExchangePtr& exchange, const WebhookPtr& webhook) const
{
    if (exchange->json().count("secret") != 0)
        return exchange->respond(Error{ErrorCode::InvalidInput,
                                       "secret: POST /webhooks/{id}/rotate-secret replaces it"});
    Webhook after = *webhook;
    if (auto read = readFields(exchange->json(), _parts.policy, false, after); !read)
        return exchange->respond(read.error());
    if (after.active && !after.sealedSecret.empty())
        return exchange->respond(unreadableSecret());
    _parts.store.change(exchange, webhook, after,
                        [exchange, after](const Result<void>& changed)
                        {
                            if (!changed)
                                return exchange->respond(changed.error());
                            JsonWriter json;
                            json.beginObject();
                            writeFields(json, after);
                            exchange->respond(http::jsonResponse(json.endObject().take()));
                        });
}

void WebhookRoutes::remove(const ExchangePtr& exchange, const WebhookPtr& webhook) const
{
    _parts.store.remove(exchange, webhook,
                        [exchange](const Result<void>& removed)
                        {
                            if (removed)
                                return exchange->respond(http::emptyResponse());
                            exchange->respond(removed.error().code == ErrorCode::Conflict
                                                  ? notFound()
                                                  : removed.error());
                        });
}

void WebhookRoutes::rotate(const ExchangePtr& exchange, const WebhookPtr& webhook) const
{
    const JsonFields fields(exchange->json());
    const auto grace = fields.optionalInteger("grace_seconds");
    const auto secret = fields.optionalString("secret");
    const auto force = fields.optionalBool("force");
    if (!grace || !secret || !force)
        return exchange->respond(!grace ? grace.error()
                                        : (!secret ? secret.error() : force.error()));
    const std::uint64_t seconds = grace->value_or(graceDefault);
    if (seconds > graceMost)
        return exchange->respond(Error{ErrorCode::InvalidInput, "grace_seconds: 0 to 604800"});
    if (auto checked = checkSecret(secret->value_or("")); !checked)
        return exchange->respond(checked.error());

    const WallTime now = _parts.clock.wallTime();
    Webhook after = *webhook;
    std::erase_if(after.oldSecrets,
                  [now](const OldSecret& old) { return old.until <= now || !old.sealed.empty(); });
    if (!after.oldSecrets.empty() && !force->value_or(false))
        return exchange->respond(Error{ErrorCode::Conflict,
                                       "An older secret is still good; repeat with \"force\":true "
                                       "to rotate again before it ends."});
    const WallTime until = now + std::chrono::seconds(seconds);
    if (seconds == 0)
        after.oldSecrets.clear();
    else if (!after.secret.empty())
        after.oldSecrets.insert(after.oldSecrets.begin(), {after.secret, until, {}});
    if (after.oldSecrets.size() > oldSecretsMax)
        after.oldSecrets.resize(oldSecretsMax);
    after.sealedSecret.clear();
    after.secret = *secret ? **secret : secretOfKey(_parts.random.bytes<32>());
    _parts.store.change(exchange, webhook, after,
                        [exchange, fresh = after.secret, until,
                         kept = !after.oldSecrets.empty()](const Result<void>& changed)
                        {
                            if (!changed)
                                return exchange->respond(changed.error());
                            JsonWriter json;
                            json.beginObject().field("secret", fresh);
                            if (kept)
                                json.field("previous_valid_until", toRfc3339(until));
                            else
                                json.null("previous_valid_until");
                            exchange->respond(secretAnswer(json.endObject().take(), 200));
                        });
}

} // namespace octostore::webhooks
