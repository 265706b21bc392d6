// SPDX-License-Identifier: MIT
#include "Dispatcher.h"

#include <octostore/base/Json.h>

#include <algorithm>
#include <chrono>

namespace octostore::webhooks
{

namespace
{

constexpr auto givenUpToldEvery = std::chrono::hours(1);

std::string headersJson(const Outgoing& message)
{
    JsonWriter json;
    json.beginObject();
    for (const auto& [name, value] : message.headers)
        json.field(name, value);
    return json.endObject().take();
}

/// What is known of a delivery whatever becomes of it.
DeliveryRow rowOf(const Webhook& webhook, const event::Event& event, DeliveryKey key)
{
    const event::Draft& what = event.what;
    DeliveryRow row;
    row.webhook = webhook.id;
    row.key = key;
    row.id = deliveryId(webhook, key);
    // In the legacy format every fact is a delivery of its own.
    row.type =
        event::typeName(webhook.format == Format::Legacy ? what.facts.at(key.fact) : what.type);
    row.resource = std::string(event::resourceKindName(what.kind)) + ":" + what.name;
    row.happened = row.updated = what.time;
    return row;
}

/// What will never be delivered, because the journal has forgotten it.
DeliveryNote forgotten(const Webhook& webhook, DeliveryKey key, WallTime now)
{
    DeliveryNote note;
    note.row.webhook = webhook.id;
    note.row.key = key;
    note.row.id = deliveryId(webhook, key);
    note.row.state = "cancelled";
    note.row.reason = "gap";
    note.row.happened = note.row.updated = now;
    return note;
}

} // namespace

/// An event says so, and a dead letter of its own that stands for all of them: which they were
/// nobody knows any more.
void Dispatcher::noteGap(Line& line, Sequence trimmed)
{
    const Sequence from(line.backlog.scanned().value() + 1);
    const std::string& id = line.webhook->id;
    _parts.logger.warning("events were forgotten before they were delivered",
                          {{"webhook", id}, {"from", from.value()}, {"up_to", trimmed.value()}});
    _parts.records.report(line.webhook, event::Type::WebhookGap,
                          "sequences " + std::to_string(from.value()) + " to " +
                              std::to_string(trimmed.value()));
    _parts.figures.cancelled.add();
    line.backlog.scannedTo(trimmed);
    line.dirty = true;
    if (_parts.log == nullptr)
        return;
    DeliveryNote note = forgotten(*line.webhook, {trimmed, gapFact}, _parts.clock.wallTime());
    note.row.type = event::typeName(event::Type::WebhookGap);
    note.row.resource = "webhook:" + id;
    JsonWriter body;
    body.beginObject().field("from", from.value()).field("up_to", trimmed.value()).endObject();
    note.row.body = body.take();
    _parts.log->note(std::move(note));
}

/// The log knows what it was, unless it has forgotten it too.
void Dispatcher::noteForgotten(Line& line, const Cursor::Tried& tried)
{
    _parts.logger.warning(
        "a delivery is given up: its event is forgotten",
        {{"webhook", line.webhook->id}, {"sequence", tried.key.sequence.value()}});
    _parts.figures.cancelled.add();
    if (_parts.log == nullptr)
        return;
    DeliveryNote note = forgotten(*line.webhook, tried.key, _parts.clock.wallTime());
    note.row.attempts = tried.attempts;
    _parts.log->note(std::move(note));
}

void Dispatcher::tellGivenUp(Line& line, DeliveryKey key, const std::string& why)
{
    const BootTime now = _parts.clock.bootTime();
    if (line.exhaustedAt && now < *line.exhaustedAt + givenUpToldEvery)
        return;
    line.exhaustedAt = now;
    _parts.logger.warning("a delivery is given up",
                          {{"webhook", line.webhook->id}, {"reason", why}});
    _parts.records.report(line.webhook, event::Type::WebhookExhausted,
                          "delivery " + deliveryId(*line.webhook, key) + ": " + why);
}

void Dispatcher::note(const Webhook& webhook, const event::Event& event, DeliveryKey key,
                      std::string state, unsigned attempts, std::optional<WallTime> next,
                      const Job* job, const Attempt* attempt)
{
    if (_parts.log == nullptr)
        return;
    DeliveryNote note;
    DeliveryRow& row = note.row;
    row = rowOf(webhook, event, key);
    row.state = std::move(state);
    row.attempts = attempts;
    row.updated = _parts.clock.wallTime();
    row.nextAttempt = next;
    if (job != nullptr && attempt != nullptr)
    {
        row.reason = attempt->reason;
        row.status = attempt->status;
        row.body = job->message.body;
        note.attempt = AttemptRow{job->attempt,
                                  job->at,
                                  attempt->took,
                                  attempt->status,
                                  attempt->reason,
                                  attempt->detail,
                                  headersJson(job->message),
                                  attempt->response};
    }
    _parts.log->note(std::move(note));
}

std::vector<DeliveryRow> Dispatcher::underWay(const std::string& id)
{
    std::vector<DeliveryRow> rows;
    MutexLock lock(_mutex);
    const auto found = _lines.find(id);
    if (found == _lines.end())
        return rows;
    const Line& line = found->second;
    const auto add = [&](DeliveryKey key, const char* state)
    {
        const Backlog::Pending& pending = *line.backlog.find(key);
        DeliveryRow row = rowOf(*line.webhook, *pending.event, key);
        row.state = state;
        row.attempts = pending.attempts;
        rows.push_back(std::move(row));
    };
    for (const DeliveryKey key : line.backlog.flying())
        add(key, "delivering");
    for (const DeliveryKey key : line.backlog.fresh())
        if (!line.backlog.find(key)->inFlight)
            add(key, "pending");
    return rows;
}

void Dispatcher::count(const Attempt& attempt)
{
    _parts.figures.took.observe(attempt.took);
    if (attempt.reason == "egress_denied")
        _parts.figures.egressDenied.add();
}

Dispatcher::Census Dispatcher::census()
{
    Census census;
    MutexLock lock(_mutex);
    for (const auto& [id, line] : _lines)
    {
        const Webhook& webhook = *line.webhook;
        if (webhook.active)
            ++census.active;
        else
            ++(webhook.disabledReason.empty() ? census.paused : census.disabled);
        if (!webhook.active)
            continue; // what waits there waits for a person
        census.breakersOpen += line.health.openUntil() ? 1 : 0;
        if (const auto oldest = line.backlog.oldest())
            census.oldest = std::min(census.oldest.value_or(*oldest), *oldest);
    }
    return census;
}

} // namespace octostore::webhooks
