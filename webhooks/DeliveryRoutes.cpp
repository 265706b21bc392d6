// SPDX-License-Identifier: MIT
#include "DeliveryPage.h"
#include "WebhookFields.h"
#include "WebhookRoutes.h"

#include <octostore/event/TypePattern.h>
#include <octostore/http/Query.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace octostore::webhooks
{

namespace
{

using http::ExchangePtr;

constexpr std::size_t recoveredMax = 10'000;
constexpr std::array<std::string_view, 8> states = {"pending",   "delivering", "retrying",
                                                    "succeeded", "exhausted",  "expired",
                                                    "cancelled", "failed"};

/// Answers from another thread.
void answerLater(const ExchangePtr& exchange, const std::shared_ptr<Executor>& executor,
                 std::string json, int status = 200)
{
    executor->post({[exchange, text = std::move(json), status]
                    { exchange->respond(http::jsonResponse(text, status)); }});
}

void answerLater(const ExchangePtr& exchange, const std::shared_ptr<Executor>& executor,
                 const Error& error)
{
    executor->post({[exchange, error] { exchange->respond(error); }});
}

} // namespace

void WebhookRoutes::ping(const ExchangePtr& exchange, const WebhookPtr& webhook) const
{
    if (!webhook->sealedSecret.empty())
        return exchange->respond(unreadableSecret());
    const bool begun = _parts.dispatcher.ping(
        webhook,
        [exchange, executor = exchange->executor()](const Attempt& attempt, const Outgoing& sent)
        {
            JsonWriter json;
            json.beginObject().field("delivered", attempt.succeeded());
            if (attempt.status != 0)
                json.field("status", attempt.status);
            else
                json.null("status");
            if (attempt.succeeded())
                json.null("reason");
            else
                json.field("reason", attempt.reason);
            json.field("detail", attempt.detail)
                .field("took_ms", std::int64_t{attempt.took.count()})
                .field("response", attempt.response);
            json.key("request_headers").beginObject();
            for (const auto& [name, value] : sent.headers)
                json.field(name, value);
            json.endObject().field("body", sent.body).endObject();
            answerLater(exchange, executor, json.take());
        });
    if (!begun)
        exchange->respond(
            Error{ErrorCode::Overloaded, "Too many pings are under way already; repeat it later."});
}

void WebhookRoutes::recover(const ExchangePtr& exchange, const WebhookPtr& webhook) const
{
    const auto since = readSince(exchange->json());
    if (!since)
        return exchange->respond(since.error());
    DeliveryQuery query;
    query.webhook = webhook->id;
    query.state = "failed";
    query.limit = recoveredMax - 1;
    if (const auto* sequence = std::get_if<Sequence>(&*since))
        query.after = *sequence;
    else
        query.since = std::get<WallTime>(*since);
    _parts.log.list(query,
                    [this, exchange, executor = exchange->executor(),
                     id = webhook->id](const std::vector<DeliveryRow>& rows)
                    {
                        std::uint64_t count = 0;
                        // The oldest first: with `ordered` they arrive in order.
                        for (auto row = rows.rbegin(); row != rows.rend(); ++row)
                            if (row->key.fact != gapFact &&
                                _parts.dispatcher.redeliver(id, row->key))
                                ++count;
                        JsonWriter json;
                        json.beginObject().field("redelivered", count).endObject();
                        answerLater(exchange, executor, json.take(), 202);
                    });
}

void WebhookRoutes::listDeliveries(const ExchangePtr& exchange, const WebhookPtr& webhook) const
{
    const auto query = http::Query::parse(exchange->request().query());
    if (!query)
        return exchange->respond(query.error());
    const auto limit = query->integer("limit", 1, 1000);
    if (!limit)
        return exchange->respond(limit.error());
    DeliveryQuery wanted;
    wanted.webhook = webhook->id;
    wanted.limit = limit->value_or(50);
    if (const std::string* state = query->find("state"))
    {
        if (std::find(states.begin(), states.end(), *state) == states.end())
            return exchange->respond(Error{ErrorCode::InvalidInput,
                                           "state: pending, delivering, retrying, succeeded, "
                                           "exhausted, expired, cancelled or failed"});
        wanted.state = *state;
    }
    if (const std::string* type = query->find("type"))
    {
        if (!event::isTypePattern(*type))
            return exchange->respond(
                Error{ErrorCode::InvalidInput, "type: there is no event `" + *type + "`"});
        wanted.type = *type;
    }
    if (const std::string* after = query->find("after"))
    {
        wanted.before = parseDeliveryId(*after);
        if (!wanted.before)
            return exchange->respond(
                Error{ErrorCode::InvalidInput, "after: what `next` of the page before said"});
    }
    _parts.log.list(
        wanted,
        [this, exchange, executor = exchange->executor(), wanted](std::vector<DeliveryRow> rows)
        {
            const auto current = _parts.dispatcher.underWay(wanted.webhook);
            const DeliveryPage page = pageOf(std::move(rows), current, wanted);
            JsonWriter json;
            json.beginObject().key("items").beginArray();
            for (const DeliveryRow& row : page.rows)
                writeDelivery(json, row);
            json.endArray();
            if (page.next.empty())
                json.null("next");
            else
                json.field("next", page.next);
            answerLater(exchange, executor, json.endObject().take());
        });
}

void WebhookRoutes::findDelivery(const ExchangePtr& exchange, const WebhookPtr& webhook,
                                 std::function<void(const DeliveryDetail&)> found) const
{
    const auto missing = [exchange] {
        exchange->respond(Error{ErrorCode::NotFound, "There is no such delivery."});
    };
    const auto key = parseDeliveryId(exchange->parameter("delivery_id"));
    if (!key)
        return missing();
    _parts.log.find(webhook->id, *key,
                    [this, missing, key = *key, executor = exchange->executor(), id = webhook->id,
                     found = std::move(found)](std::optional<DeliveryDetail> detail)
                    {
                        showUnderWay(detail, _parts.dispatcher.underWay(id), key);
                        if (detail)
                            found(*detail);
                        else
                            executor->post({missing});
                    });
}

void WebhookRoutes::showDelivery(const ExchangePtr& exchange, const WebhookPtr& webhook) const
{
    findDelivery(exchange, webhook,
                 [exchange, executor = exchange->executor()](const DeliveryDetail& detail)
                 {
                     JsonWriter json;
                     writeDelivery(json, detail.row, &detail);
                     answerLater(exchange, executor, json.take());
                 });
}

void WebhookRoutes::redeliver(const ExchangePtr& exchange, const WebhookPtr& webhook) const
{
    if (!webhook->sealedSecret.empty())
        return exchange->respond(unreadableSecret());
    findDelivery(exchange, webhook,
                 [this, exchange, executor = exchange->executor(),
                  id = webhook->id](const DeliveryDetail& detail)
                 {
                     if (detail.row.key.fact == gapFact)
                         return answerLater(
                             exchange, executor,
                             Error{ErrorCode::Conflict, "The journal has forgotten its events."});
                     if (!_parts.dispatcher.redeliver(id, detail.row.key))
                         return answerLater(
                             exchange, executor,
                             Error{ErrorCode::Overloaded,
                                   "Too many are asked for already; repeat it later."});
                     JsonWriter json;
                     json.beginObject().field("delivery_id", detail.row.id).endObject();
                     answerLater(exchange, executor, json.take(), 202);
                 });
}

} // namespace octostore::webhooks
