// SPDX-License-Identifier: MIT
#include "Payload.h"

#include "Matching.h"
#include "Signature.h"

#include <octostore/base/Calendar.h>
#include <octostore/base/Digest.h>
#include <octostore/base/Json.h>
#include <octostore/coordination/HolderPseudonym.h>
#include <octostore/event/EventJson.h>
#include <octostore/http/Identity.h>

#include <charconv>
#include <chrono>
#include <optional>
#include <span>

namespace octostore::webhooks
{

namespace
{

constexpr std::string_view deliveryPrefix = "dlv_";

/// What a body says beside its data.
struct Subject
{
    std::string id;
    std::string_view type;
    WallTime time;
    std::string resource;               ///< empty: none
    std::optional<Sequence> sequence{}; ///< a ping has none
    std::optional<WallTime> expires{};
};

std::string envelope(const Subject& subject, std::string_view data)
{
    JsonWriter json;
    json.beginObject()
        .field("id", subject.id)
        .field("type", subject.type)
        .field("timestamp", toRfc3339(subject.time));
    return json.key("data").raw(data).endObject().take();
}

/// As text that sorts like the number.
std::string padded(Sequence sequence)
{
    constexpr std::size_t digits = 20; // of the largest
    std::string text = std::to_string(sequence.value());
    return text.insert(0, digits - text.size(), '0');
}

/// CloudEvents 1.0 in the structured JSON form.
std::string cloudEvent(const Subject& subject, std::string_view incarnation, std::string_view data)
{
    JsonWriter json;
    json.beginObject()
        .field("specversion", "1.0")
        .field("id", subject.id)
        .field("source", "urn:octostore:" + std::string(incarnation))
        .field("type", subject.type);
    if (!subject.resource.empty())
        json.field("subject", subject.resource);
    json.field("time", toRfc3339(subject.time)).field("datacontenttype", "application/json");
    if (subject.sequence)
        json.field("sequence", padded(*subject.sequence));
    if (subject.expires)
        json.field("expirytime", toRfc3339(*subject.expires));
    return json.key("data").raw(data).endObject().take();
}

std::string bodyOf(const Webhook& webhook, const Subject& subject, std::string_view incarnation,
                   std::string_view data)
{
    return webhook.format == Format::CloudEvents ? cloudEvent(subject, incarnation, data)
                                                 : envelope(subject, data);
}

/// W3C Trace Context. Marked as recorded, because a receiver that follows its caller would record
/// nothing otherwise.
std::string traceParent(const RequestId& request, const std::string& delivery, unsigned attempt)
{
    constexpr std::size_t parentBytes = 8;
    const Digest digest = sha256(delivery + "/" + std::to_string(attempt));
    return "00-" + toHex(request.uuid.bytes) + "-" + toHex(std::span(digest).first(parentBytes)) +
           "-01";
}

std::string legacyBody(const event::Draft& what, std::uint8_t fact)
{
    const event::Type type = what.facts.at(fact);
    const auto& side = type == event::Type::LockAcquired ? what.current : what.previous;
    JsonWriter json;
    json.beginObject().field("event", legacyWord(type)).field("lock", what.name);
    if (side)
        json.field("holder_id",
                   coordination::pseudonymOf({http::principalIdOf(side->holder).uuid}).toString())
            .field("fencing_token", side->term.value());
    else
        json.null("holder_id").null("fencing_token");
    return json.field("timestamp", toRfc3339WithOffset(what.time)).endObject().take();
}

Outgoing signedMessage(const Webhook& webhook, const std::string& id, std::string body,
                       WallTime now)
{
    const std::int64_t seconds =
        std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count();
    Outgoing message{webhook.url, {}, std::move(body)};
    const bool cloud = webhook.format == Format::CloudEvents;
    message.headers = {
        {"Content-Type", cloud ? "application/cloudevents+json" : "application/json"},
        {"User-Agent", "OctoStore-Webhook/1.0"},
        {"webhook-id", id},
        {"webhook-timestamp", std::to_string(seconds)}};
    const auto secrets = webhook.secretsAt(now);
    if (secrets.empty())
        return message;
    message.headers.emplace_back("webhook-signature",
                                 signatureHeader(secrets, id, seconds, message.body));
    if (webhook.format == Format::Legacy)
        message.headers.emplace_back("X-OctoStore-Signature",
                                     legacySignature(secrets.front(), message.body));
    return message;
}

} // namespace

std::string deliveryId(const Webhook& webhook, DeliveryKey key)
{
    std::string id = std::string(deliveryPrefix) + std::to_string(key.sequence.value());
    return webhook.format == Format::Legacy || key.fact == gapFact
               ? id + "_" + std::to_string(key.fact)
               : id;
}

std::optional<DeliveryKey> parseDeliveryId(std::string_view text)
{
    if (!text.starts_with(deliveryPrefix))
        return std::nullopt;
    text.remove_prefix(deliveryPrefix.size());
    std::uint64_t sequence = 0;
    const char* const end = text.data() + text.size();
    auto read = std::from_chars(text.data(), end, sequence);
    DeliveryKey key{Sequence(sequence)};
    if (read.ec == std::errc() && read.ptr != end && *read.ptr == '_')
        read = std::from_chars(read.ptr + 1, end, key.fact);
    if (read.ec != std::errc() || read.ptr != end)
        return std::nullopt;
    return key;
}

Outgoing deliveryOf(const Webhook& webhook, const event::Event& event, DeliveryKey key,
                    std::string_view incarnation, const Occasion& occasion)
{
    std::string id = "evt_" + std::string(incarnation) + "_" + std::to_string(key.sequence.value());
    std::string body;
    const std::string_view word = legacyWord(event.what.facts.at(key.fact));
    if (webhook.format == Format::Legacy && !word.empty())
    {
        id += "_" + std::string(word);
        body = legacyBody(event.what, key.fact);
    }
    else
    {
        const event::Draft& what = event.what;
        Subject subject{id, event::typeName(what.type), what.time,
                        std::string(event::resourceKindName(what.kind)) + ":" + what.name,
                        key.sequence};
        // What somebody asked for although it is too old is not to be thrown away by its receiver.
        if (occasion.expires > occasion.now)
            subject.expires = occasion.expires;
        body = bodyOf(webhook, subject, incarnation, event::toJson(event));
    }
    Outgoing message = signedMessage(webhook, id, std::move(body), occasion.now);
    const std::string delivery = deliveryId(webhook, key);
    if (!event.what.request.isNil())
        message.headers.emplace_back(
            "traceparent",
            traceParent(event.what.request, webhook.id + "/" + delivery, occasion.attempt));
    message.headers.emplace_back("octostore-delivery-id", delivery);
    message.headers.emplace_back("octostore-attempt", std::to_string(occasion.attempt));
    return message;
}

Outgoing pingOf(const Webhook& webhook, const std::string& id, std::string_view incarnation,
                WallTime now)
{
    JsonWriter data;
    data.beginObject().field("webhook", webhook.id).endObject();
    const Subject subject{id, "webhook.ping", now, {}};
    return signedMessage(webhook, id, bodyOf(webhook, subject, incarnation, data.take()), now);
}

} // namespace octostore::webhooks
