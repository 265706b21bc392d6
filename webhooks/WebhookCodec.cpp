// SPDX-License-Identifier: MIT
#include "WebhookCodec.h"

#include <octostore/base/Json.h>

#include <array>
#include <chrono>

namespace octostore::webhooks
{

namespace
{

Error corrupt(const std::string& why)
{
    return {ErrorCode::Corrupt, "a stored webhook: " + why};
}

std::string text(const JsonValue::Object& object, std::string_view key)
{
    const auto found = object.find(key);
    const std::string* value = found == object.end() ? nullptr : found->second.asString();
    return value == nullptr ? std::string() : *value;
}

std::int64_t number(const JsonValue::Object& object, std::string_view key)
{
    const auto found = object.find(key);
    const std::int64_t* value = found == object.end() ? nullptr : found->second.asInteger();
    return value == nullptr ? 0 : *value;
}

bool flag(const JsonValue::Object& object, std::string_view key)
{
    const auto found = object.find(key);
    const bool* value = found == object.end() ? nullptr : found->second.asBool();
    return value != nullptr && *value;
}

const JsonValue::Array& array(const JsonValue::Object& object, std::string_view key)
{
    static const JsonValue::Array none;
    const auto found = object.find(key);
    const JsonValue::Array* value = found == object.end() ? nullptr : found->second.asArray();
    return value == nullptr ? none : *value;
}

std::vector<std::string> texts(const JsonValue::Object& object, std::string_view key)
{
    std::vector<std::string> all;
    for (const JsonValue& value : array(object, key))
        if (const std::string* one = value.asString())
            all.push_back(*one);
    return all;
}

void readSecrets(const JsonValue::Object& object, const SecretBox& box, Webhook& webhook)
{
    const auto open = [&](const std::string& sealed) { return box.unseal(sealed, webhook.id); };
    if (const std::string sealed = text(object, "secret"); !sealed.empty())
    {
        if (const auto secret = open(sealed))
            webhook.secret = *secret;
        else
            webhook.sealedSecret = sealed;
    }
    for (const JsonValue& value : array(object, "old_secrets"))
    {
        const auto* stored = value.asObject();
        if (stored == nullptr)
            continue;
        const std::string sealed = text(*stored, "secret");
        if (sealed.empty())
            continue;
        const auto secret = open(sealed);
        webhook.oldSecrets.push_back({secret.value_or(""),
                                      fromUnixMilliseconds(number(*stored, "until_ms")),
                                      secret ? "" : sealed});
    }
}

} // namespace

std::vector<std::string> Webhook::secretsAt(WallTime now) const
{
    std::vector<std::string> all;
    if (!secret.empty())
        all.push_back(secret);
    for (const OldSecret& old : oldSecrets)
        if (old.until > now && old.sealed.empty())
            all.push_back(old.secret);
    return all;
}

std::string_view formatName(Format format) noexcept
{
    switch (format)
    {
    case Format::Legacy:
        return "legacy";
    case Format::CloudEvents:
        return "cloudevents";
    case Format::Octostore:
        break;
    }
    return "octostore";
}

std::optional<Format> parseFormat(std::string_view name) noexcept
{
    for (const Format format : {Format::Octostore, Format::Legacy, Format::CloudEvents})
        if (name == formatName(format))
            return format;
    return std::nullopt;
}

void writeStrings(JsonWriter& json, std::string_view key, const std::vector<std::string>& values)
{
    json.key(key).beginArray();
    for (const std::string& value : values)
        json.value(std::string_view(value));
    json.endArray();
}

std::int64_t unixMilliseconds(WallTime time)
{
    return std::chrono::floor<Milliseconds>(time.time_since_epoch()).count();
}

WallTime fromUnixMilliseconds(std::int64_t milliseconds)
{
    return WallTime(Milliseconds(milliseconds));
}

std::string encode(const Webhook& webhook, const SecretBox& box, Random& random)
{
    const auto sealed = [&](const std::string& secret)
    { return secret.empty() ? std::string() : box.seal(secret, webhook.id, random); };
    JsonWriter json;
    json.beginObject()
        .field("id", webhook.id)
        .field("owner", webhook.owner.toString())
        .field("owner_name", webhook.ownerName)
        .field("admin", webhook.admin)
        .field("url", webhook.url.text())
        .field("secret",
               webhook.sealedSecret.empty() ? sealed(webhook.secret) : webhook.sealedSecret);
    json.key("old_secrets").beginArray();
    for (const OldSecret& old : webhook.oldSecrets)
        json.beginObject()
            .field("secret", old.sealed.empty() ? sealed(old.secret) : old.sealed)
            .field("until_ms", unixMilliseconds(old.until))
            .endObject();
    json.endArray();
    writeStrings(json, "events", webhook.events);
    json.field("lock_pattern", webhook.lockPattern);
    writeStrings(json, "elections", webhook.elections);
    json.field("description", webhook.description)
        .field("ordered", webhook.ordered)
        .field("active", webhook.active)
        .field("disabled_reason", webhook.disabledReason)
        .field("format", formatName(webhook.format));
    if (webhook.maxAgeSeconds)
        json.field("max_age_seconds", *webhook.maxAgeSeconds);
    if (webhook.ratePerSecond)
        json.field("rate_per_s", *webhook.ratePerSecond);
    return json.field("created_ms", unixMilliseconds(webhook.createdAt)).endObject().take();
}

Result<Webhook> decode(std::string_view document, const SecretBox& box)
{
    const auto object = readJson(document);
    if (!object)
        return corrupt(object.error().message);
    Webhook webhook;
    webhook.id = text(*object, "id");
    const auto owner = Uuid::parse(text(*object, "owner"));
    auto url = TargetUrl::parse(text(*object, "url"));
    if (webhook.id.empty() || !owner || !url)
        return corrupt("id, owner or url is missing");
    webhook.owner = {*owner};
    webhook.url = *std::move(url);
    webhook.ownerName = text(*object, "owner_name");
    webhook.admin = flag(*object, "admin");
    readSecrets(*object, box, webhook);
    webhook.events = texts(*object, "events");
    if (const auto pattern = object->find("lock_pattern");
        pattern != object->end() && pattern->second.asString() != nullptr)
        webhook.lockPattern = *pattern->second.asString();
    webhook.elections = texts(*object, "elections");
    webhook.description = text(*object, "description");
    webhook.ordered = flag(*object, "ordered");
    webhook.active = flag(*object, "active");
    webhook.disabledReason = text(*object, "disabled_reason");
    webhook.format = parseFormat(text(*object, "format")).value_or(Format::Octostore);
    if (object->count("max_age_seconds") != 0)
        webhook.maxAgeSeconds = static_cast<std::uint64_t>(number(*object, "max_age_seconds"));
    if (object->count("rate_per_s") != 0)
        webhook.ratePerSecond = static_cast<std::uint64_t>(number(*object, "rate_per_s"));
    webhook.createdAt = fromUnixMilliseconds(number(*object, "created_ms"));
    return webhook;
}

std::string encode(const Cursor& cursor)
{
    JsonWriter json;
    json.beginObject().field("low", cursor.low.value());
    json.key("tried").beginArray();
    for (const Cursor::Tried& one : cursor.tried)
    {
        json.beginArray()
            .value(one.key.sequence.value())
            .value(static_cast<unsigned>(one.key.fact))
            .value(one.attempts)
            .value(unixMilliseconds(one.due));
        // Without attempts somebody must have asked for it.
        if (one.asked && one.attempts > 0)
            json.value(1U);
        json.endArray();
    }
    json.endArray();
    if (cursor.failingSince)
        json.field("failing_since_ms", unixMilliseconds(*cursor.failingSince));
    return json.field("alerted", cursor.alerted).endObject().take();
}

Result<Cursor> decodeCursor(std::string_view document)
{
    const auto object = readJson(document);
    if (!object)
        return corrupt(object.error().message);
    Cursor cursor;
    cursor.low = Sequence(static_cast<std::uint64_t>(number(*object, "low")));
    for (const JsonValue& value : array(*object, "tried"))
    {
        const JsonValue::Array* parts = value.asArray();
        std::array<std::int64_t, 5> numbers{};
        if (parts == nullptr || parts->size() < 4 || parts->size() > numbers.size())
            return corrupt("its cursor is not whole");
        for (std::size_t i = 0; i < parts->size(); ++i)
            if (const std::int64_t* part = (*parts)[i].asInteger())
                numbers[i] = *part;
        cursor.tried.push_back({{Sequence(static_cast<std::uint64_t>(numbers[0])),
                                 static_cast<std::uint8_t>(numbers[1])},
                                static_cast<unsigned>(numbers[2]),
                                fromUnixMilliseconds(numbers[3]),
                                numbers[2] == 0 || numbers[4] != 0});
    }
    if (object->count("failing_since_ms") != 0)
        cursor.failingSince = fromUnixMilliseconds(number(*object, "failing_since_ms"));
    cursor.alerted = static_cast<unsigned>(number(*object, "alerted"));
    return cursor;
}

} // namespace octostore::webhooks
