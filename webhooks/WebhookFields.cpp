// SPDX-License-Identifier: MIT
#include "WebhookFields.h"

#include "Matching.h"
#include "Signature.h"
#include "WebhookCodec.h"

#include <octostore/base/Base64.h>
#include <octostore/base/Calendar.h>
#include <octostore/base/Text.h>
#include <octostore/coordination/Name.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

namespace octostore::webhooks
{

namespace
{

constexpr std::size_t listMax = 100, textMax = 256, secretMax = 1024;
constexpr std::uint64_t maxAgeMost = 30ULL * 24 * 3600, rateMost = 1000;

Error bad(const std::string& why)
{
    return {ErrorCode::InvalidInput, why};
}

Result<std::optional<std::vector<std::string>>> optionalStrings(const JsonFields& fields,
                                                                std::string_view key)
{
    const JsonValue* value = fields.find(key);
    if (value == nullptr)
        return std::optional<std::vector<std::string>>();
    const Error wrong{ErrorCode::Unprocessable, std::string(key) + ": an array of strings"};
    if (value->asArray() == nullptr)
        return wrong;
    std::vector<std::string> all;
    for (const JsonValue& element : *value->asArray())
    {
        if (element.asString() == nullptr)
            return wrong;
        all.push_back(*element.asString());
    }
    if (all.size() > listMax)
        return bad(std::string(key) + ": at most 100 are allowed");
    return std::optional(std::move(all));
}

Result<void> readUrl(const JsonFields& fields, const EgressPolicy& policy, bool fresh,
                     Webhook& webhook)
{
    if (!fresh && fields.find("url") == nullptr)
        return {};
    const auto text = fields.string("url");
    if (!text)
        return text.error();
    auto url = TargetUrl::parse(*text);
    if (!url)
        return url.error();
    if (!url->secure && !policy.allowsPlain())
        return bad("url: it must begin with https://");
    if (url->host == "localhost" && !policy.allowsPrivate() && !policy.allowsPlain())
        return bad("url: localhost is not allowed");
    if (url->address)
        if (const auto allowed = policy.check(*url->address, url->port, url->secure); !allowed)
            return bad("url: " + allowed.error().message);
    webhook.url = *std::move(url);
    return {};
}

Result<void> readEvents(const JsonFields& fields, bool fresh, Webhook& webhook)
{
    auto events = optionalStrings(fields, "events");
    if (!events)
        return events.error();
    if (!*events)
    {
        if (fresh)
            webhook.events = {"*"};
        return {};
    }
    if ((*events)->empty())
        return bad("events: an empty array matches nothing; leave it out for all");
    for (const std::string& pattern : **events)
        if (!isEventPattern(pattern))
            return bad("events: there is no event `" + pattern + "`");
    webhook.events = **std::move(events);
    return {};
}

Result<void> readElections(const JsonFields& fields, Webhook& webhook)
{
    auto rooms = optionalStrings(fields, "elections");
    if (!rooms)
        return rooms.error();
    if (!*rooms)
        return {};
    for (const std::string& room : **rooms)
        if (const auto valid = coordination::checkRoomId(room);
            !valid && !(webhook.admin && !room.empty() && room.size() <= textMax))
            return bad("elections: " + valid.error().message);
    webhook.elections = **std::move(rooms);
    return {};
}

Result<void> readTexts(const JsonFields& fields, Webhook& webhook)
{
    for (const auto& [key, most] : {std::pair{"lock_pattern", 512}, std::pair{"description", 1024}})
    {
        const auto text = fields.optionalString(key);
        if (!text)
            return text.error();
        if (!*text)
            continue;
        if ((*text)->size() > static_cast<std::size_t>(most) ||
            std::count((*text)->begin(), (*text)->end(), '*') > 16)
            return bad(std::string(key) + ": it is too long or has too many `*`");
        if (std::string_view(key) == "description")
            webhook.description = **text;
        else
            webhook.lockPattern = **text;
    }
    return {};
}

Result<void> readSwitches(const JsonFields& fields, Webhook& webhook)
{
    const auto ordered = fields.optionalBool("ordered");
    if (!ordered)
        return ordered.error();
    const auto active = fields.optionalBool("active");
    if (!active)
        return active.error();
    const auto age = fields.optionalInteger("max_age_seconds");
    if (!age)
        return age.error();
    webhook.ordered = ordered->value_or(webhook.ordered);
    if (*age && (**age == 0 || **age > maxAgeMost))
        return bad("max_age_seconds: 1 to 2592000");
    if (*age)
        webhook.maxAgeSeconds = **age;
    const auto rate = fields.optionalInteger("rate_per_s");
    if (!rate)
        return rate.error();
    if (*rate && (**rate == 0 || **rate > rateMost))
        return bad("rate_per_s: 1 to 1000");
    if (*rate)
        webhook.ratePerSecond = **rate;
    webhook.active = active->value_or(webhook.active);
    if (webhook.active)
        webhook.disabledReason.clear();
    return {};
}

Result<void> readFormat(const JsonFields& fields, bool fresh, Webhook& webhook)
{
    const auto format = fields.optionalString("format");
    if (!format)
        return format.error();
    if (*format)
    {
        const auto known = parseFormat(**format);
        if (!known)
            return bad("format: octostore, legacy or cloudevents");
        webhook.format = *known;
    }
    else if (fresh)
    {
        // Whoever uses nothing but what the reference has, expects what it delivers.
        const auto ours = {"elections", "description",     "ordered",
                           "active",    "max_age_seconds", "rate_per_s"};
        const bool plain = std::all_of(webhook.events.begin(), webhook.events.end(),
                                       [](const std::string& event)
                                       { return event.find('.') == std::string::npos; });
        const bool any =
            std::any_of(ours.begin(), ours.end(),
                        [&fields](const char* key) { return fields.find(key) != nullptr; });
        webhook.format = plain && !any ? Format::Legacy : Format::Octostore;
    }
    return {};
}

/// UTC, as we and the reference write it; what is behind the seconds is left out.
std::optional<WallTime> parseTime(const std::string& text)
{
    constexpr std::size_t toSeconds = sizeof("2026-01-31T12:00:00") - 1;
    std::tm parts{};
    if (text.size() <= toSeconds ||
        std::sscanf(text.c_str(), "%4d-%2d-%2dT%2d:%2d:%2d", &parts.tm_year, &parts.tm_mon,
                    &parts.tm_mday, &parts.tm_hour, &parts.tm_min, &parts.tm_sec) != 6)
        return std::nullopt;
    std::string_view rest = std::string_view(text).substr(toSeconds);
    if (rest.front() == '.')
        rest.remove_prefix(std::min(rest.find_first_not_of("0123456789", 1), rest.size()));
    parts.tm_year -= 1900;
    parts.tm_mon -= 1;
    const auto time = timeOf(parts);
    // sscanf() takes blanks and signs, too.
    const bool exact = time && toRfc3339(*time) == text.substr(0, toSeconds) + "Z";
    return exact && (rest == "Z" || rest == "+00:00") ? time : std::nullopt;
}

JsonWriter& optionalTime(JsonWriter& json, std::string_view key, std::optional<WallTime> time)
{
    return time ? json.field(key, toRfc3339(*time)) : json.null(key);
}

JsonWriter& optionalText(JsonWriter& json, std::string_view key, const std::string& text)
{
    return text.empty() ? json.null(key) : json.field(key, text);
}

} // namespace

Result<void> readFields(const JsonValue::Object& body, const EgressPolicy& policy, bool fresh,
                        Webhook& webhook)
{
    const JsonFields fields(body);
    if (auto read = readUrl(fields, policy, fresh, webhook); !read)
        return read;
    if (auto read = readEvents(fields, fresh, webhook); !read)
        return read;
    if (auto read = readElections(fields, webhook); !read)
        return read;
    if (auto read = readTexts(fields, webhook); !read)
        return read;
    if (auto read = readSwitches(fields, webhook); !read)
        return read;
    // Null takes away what can be absent.
    const auto isNull = [&body](std::string_view key)
    {
        const auto found = body.find(std::string(key));
        return found != body.end() && found->second.isNull();
    };
    if (isNull("lock_pattern"))
        webhook.lockPattern.reset();
    if (isNull("max_age_seconds"))
        webhook.maxAgeSeconds.reset();
    if (isNull("rate_per_s"))
        webhook.ratePerSecond.reset();
    return readFormat(fields, fresh, webhook);
}

Result<void> checkSecret(const std::string& secret)
{
    if (secret.size() > secretMax)
        return bad("secret: it is longer than 1024 bytes");
    if (!secret.starts_with(secretPrefix))
        return {};
    const auto key = fromBase64(std::string_view(secret).substr(secretPrefix.size()));
    if (!key || key->size() < 24 || key->size() > 64)
        return bad("secret: behind whsec_ there must be 24 to 64 bytes in base64");
    return {};
}

Result<std::variant<Sequence, WallTime>> readSince(const JsonValue::Object& body)
{
    using Since = std::variant<Sequence, WallTime>;
    const auto found = body.find("since");
    if (found == body.end())
        return Error{ErrorCode::Unprocessable, "since: a sequence or a time is needed"};
    if (const std::int64_t* sequence = found->second.asInteger(); sequence && *sequence >= 0)
        return Since(Sequence(static_cast<std::uint64_t>(*sequence)));
    if (const std::string* text = found->second.asString())
        if (const auto time = parseTime(*text))
            return Since(*time);
    return bad("since: a sequence, or a time such as 2026-01-31T12:00:00Z");
}

Error unreadableSecret()
{
    return {ErrorCode::Conflict, "Its secret cannot be read any more; rotate it first."};
}

void writeFields(JsonWriter& json, const Webhook& webhook, const std::optional<std::string>& shown)
{
    json.field("id", webhook.id)
        .field("user_id", webhook.owner.toString())
        .field("user_name", webhook.ownerName)
        .field("url", webhook.url.text());
    if (shown)
        json.field("secret", *shown);
    else if (webhook.secret.empty() && webhook.sealedSecret.empty())
        json.null("secret");
    else
        json.field("secret", "****");
    writeStrings(json, "events", webhook.events);
    json.field("lock_pattern", webhook.lockPattern)
        .field("created_at", toRfc3339(webhook.createdAt))
        .field("active", webhook.active);
    writeStrings(json, "elections", webhook.elections);
    json.field("description", webhook.description)
        .field("ordered", webhook.ordered)
        .field("format", formatName(webhook.format));
    if (webhook.maxAgeSeconds)
        json.field("max_age_seconds", *webhook.maxAgeSeconds);
    else
        json.null("max_age_seconds");
    if (webhook.ratePerSecond)
        json.field("rate_per_s", *webhook.ratePerSecond);
    else
        json.null("rate_per_s");
    optionalText(json, "disabled_reason", webhook.disabledReason);
}

void writeStats(JsonWriter& json, const Dispatcher::Summary& summary, const DeliveryStats& stats)
{
    json.key("stats").beginObject();
    json.field("attempts_24h", stats.attempts).field("succeeded_24h", stats.succeeded);
    if (stats.attempts == 0)
        json.null("success_24h");
    else
        json.field("success_24h",
                   static_cast<double>(stats.succeeded) / static_cast<double>(stats.attempts));
    if (stats.p95)
        json.field("p95_ms", std::int64_t{stats.p95->count()});
    else
        json.null("p95_ms");
    json.field("pending", std::uint64_t{summary.pending})
        .field("more_in_journal", summary.more)
        .field("in_flight", summary.inFlight)
        .field("breaker_open", summary.breakerOpen);
    optionalTime(json, "next_retry_at", summary.nextRetry);
    optionalTime(json, "failing_since", summary.failingSince);
    json.endObject();
}

void writeDelivery(JsonWriter& json, const DeliveryRow& row, const DeliveryDetail* detail)
{
    json.beginObject()
        .field("id", row.id)
        .field("sequence", row.key.sequence.value())
        .field("type", row.type)
        .field("resource", row.resource)
        .field("state", row.state)
        .field("attempts", row.attempts);
    optionalText(json, "reason", row.reason);
    if (row.status != 0)
        json.field("status", row.status);
    else
        json.null("status");
    json.field("event_time", toRfc3339(row.happened)).field("updated_at", toRfc3339(row.updated));
    optionalTime(json, "next_attempt_at", row.nextAttempt);
    if (detail != nullptr)
    {
        optionalText(json, "body", row.body);
        json.key("attempt_log").beginArray();
        for (const AttemptRow& attempt : detail->attempts)
        {
            json.beginObject()
                .field("number", attempt.number)
                .field("at", toRfc3339(attempt.at))
                .field("took_ms", std::int64_t{attempt.took.count()});
            json.field("status", attempt.status);
            optionalText(json, "reason", attempt.reason);
            optionalText(json, "detail", attempt.detail);
            json.key("request_headers").raw(attempt.requestHeaders);
            json.field("response", attempt.response).endObject();
        }
        json.endArray();
    }
    json.endObject();
}

} // namespace octostore::webhooks
