// SPDX-License-Identifier: MIT
#include "Decoder.h"

#include <octostore/backend/Codec.h>

#include <algorithm>
#include <utility>

// The names of members are short on purpose: they are stored once for every record.

namespace octostore::backend
{

namespace
{

void writeHex(JsonWriter& json, std::string_view key, std::span<const std::uint8_t> bytes)
{
    const bool zero = std::all_of(bytes.begin(), bytes.end(), [](auto byte) { return byte == 0; });
    if (!zero)
        json.field(key, toHex(bytes));
}

template <class Id>
void writeId(JsonWriter& json, std::string_view key, const Id& id)
{
    writeHex(json, key, id.uuid.bytes);
}

void writeInstant(JsonWriter& json, std::string_view key, WallTime time)
{
    json.field(key, std::int64_t{time.time_since_epoch().count()});
}

void writeMilliseconds(JsonWriter& json, std::string_view key, Milliseconds duration)
{
    json.field(key, std::int64_t{duration.count()});
}

template <class Enumeration>
void writeEnumerator(JsonWriter& json, std::string_view key, Enumeration value)
{
    json.field(key, static_cast<int>(value));
}

void writeDeadline(JsonWriter& json, const Deadline& deadline)
{
    json.key("until").beginObject();
    json.field("boot", std::int64_t{deadline.boot.time_since_epoch().count()});
    json.field("clock", deadline.clock.view());
    writeInstant(json, "wall", deadline.wall);
    json.endObject();
}

Deadline readDeadline(Decoder& from)
{
    const JsonValue::Object* object = from.object("until");
    if (object == nullptr)
    {
        from.fail();
        return {};
    }
    Decoder fields(*object);
    Deadline deadline;
    deadline.boot = BootTime(std::chrono::nanoseconds(fields.integer("boot")));
    deadline.clock = fields.string("clock");
    deadline.wall = fields.wallTime("wall");
    if (!fields.ok())
        from.fail();
    return deadline;
}

void write(JsonWriter&, std::monostate) {}

void write(JsonWriter& json, const LeaseRecord& lease)
{
    writeEnumerator(json, "state", lease.state);
    writeEnumerator(json, "kind", lease.kind);
    json.field("term", lease.term.value());
    writeId(json, "holder", lease.holder);
    writeId(json, "principal", lease.principal);
    json.field("label", lease.label);
    writeId(json, "lease", lease.lease);
    writeHex(json, "secret", lease.secretDigest);
    writeHex(json, "nonce", lease.tokenNonce);
    if (lease.metadata)
        json.field("metadata", lease.metadata->view());
    writeMilliseconds(json, "ttl", lease.ttl);
    writeMilliseconds(json, "delay", lease.lockDelay);
    writeId(json, "session", lease.session);
    json.field("ephemeral", lease.ephemeral);
    writeInstant(json, "granted", lease.grantedAt);
    writeDeadline(json, lease.deadline);
    writeEnumerator(json, "cause", lease.cause);
    writeInstant(json, "ended", lease.endedAt);
}

void read(Decoder& from, LeaseRecord& lease)
{
    lease.state = from.enumerator("state", LeaseState::Held, LeaseState::Vacant);
    lease.kind = from.enumerator("kind", LeaseKind::Lock, LeaseKind::Election);
    lease.term = Term(from.counter("term"));
    lease.holder.uuid = from.optionalUuid("holder");
    lease.principal.uuid = from.optionalUuid("principal");
    lease.label = from.string("label");
    lease.lease.uuid = from.optionalUuid("lease");
    from.optionalBytes("secret", lease.secretDigest);
    from.optionalBytes("nonce", lease.tokenNonce);
    if (from.has("metadata"))
        lease.metadata = from.string("metadata");
    lease.ttl = from.milliseconds("ttl");
    lease.lockDelay = from.milliseconds("delay");
    lease.session.uuid = from.optionalUuid("session");
    lease.ephemeral = from.boolean("ephemeral");
    lease.grantedAt = from.wallTime("granted");
    lease.deadline = readDeadline(from);
    lease.cause = from.enumerator("cause", event::Cause::None, event::Cause::Undelivered);
    lease.endedAt = from.wallTime("ended");
}

void write(JsonWriter& json, const AclRecord& acl)
{
    json.key("acquire").beginArray();
    for (const std::string& entry : acl.acquire)
        json.value(entry);
    json.endArray();
}

void read(Decoder& from, AclRecord& acl)
{
    acl.acquire = from.strings("acquire");
}

void write(JsonWriter& json, const SessionRecord& session)
{
    writeId(json, "principal", session.principal);
    json.field("label", session.label);
    writeMilliseconds(json, "ttl", session.ttl);
    writeDeadline(json, session.deadline);
}

void read(Decoder& from, SessionRecord& session)
{
    session.principal.uuid = from.optionalUuid("principal");
    session.label = from.string("label");
    session.ttl = from.milliseconds("ttl");
    session.deadline = readDeadline(from);
}

void write(JsonWriter& json, const PrincipalRecord& principal)
{
    writeId(json, "id", principal.id);
    json.field("name", principal.name);
    json.field("class", principal.identityClass);
    writeHex(json, "token", principal.tokenDigest);
    json.field("namespace", principal.space);
    json.field("role", principal.role);
    writeInstant(json, "created", principal.createdAt);
}

void read(Decoder& from, PrincipalRecord& principal)
{
    principal.id.uuid = from.optionalUuid("id");
    principal.name = from.string("name");
    principal.identityClass = from.string("class");
    from.optionalBytes("token", principal.tokenDigest);
    principal.space = from.string("namespace");
    principal.role = from.string("role");
    principal.createdAt = from.wallTime("created");
}

void write(JsonWriter& json, const WebhookRecord& webhook)
{
    json.field("text", webhook.document);
}
void read(Decoder& from, WebhookRecord& webhook)
{
    webhook.document = from.string("text");
}

void write(JsonWriter& json, const CursorRecord& cursor)
{
    json.field("text", cursor.document);
}
void read(Decoder& from, CursorRecord& cursor)
{
    cursor.document = from.string("text");
}

void write(JsonWriter& json, const MetaRecord& meta)
{
    json.field("text", meta.text);
}
void read(Decoder& from, MetaRecord& meta)
{
    meta.text = from.string("text");
}

template <class Stored>
Result<Value> decode(Decoder& from)
{
    Stored stored;
    read(from, stored);
    if (!from.ok())
        return corrupt("a stored value has a missing or a wrong member");
    return Value(std::move(stored));
}

} // namespace

std::string encodeValue(const Value& value)
{
    if (std::holds_alternative<std::monostate>(value))
        return "null";
    JsonWriter json;
    json.beginObject().field("v", codecVersion);
    std::visit([&json](const auto& stored) { write(json, stored); }, value);
    return json.endObject().take();
}

Result<Value> decodeValue(Collection collection, std::string_view text)
{
    if (text == "null")
        return Value();
    const Result<JsonValue::Object> object = readJson(text);
    if (!object)
        return corrupt("a stored value cannot be read: " + object.error().message);
    Decoder from(*object);
    if (from.integer("v") != codecVersion)
        return corrupt("a stored value has an unknown version");
    switch (collection)
    {
    case Collection::Lease:
        return decode<LeaseRecord>(from);
    case Collection::Acl:
        return decode<AclRecord>(from);
    case Collection::Session:
        return decode<SessionRecord>(from);
    case Collection::Principal:
        return decode<PrincipalRecord>(from);
    case Collection::Webhook:
        return decode<WebhookRecord>(from);
    case Collection::Cursor:
        return decode<CursorRecord>(from);
    case Collection::Meta:
        return decode<MetaRecord>(from);
    }
    return corrupt("a stored value is of an unknown collection");
}

void stamp(Value& value, Revision revision) noexcept
{
    auto* lease = std::get_if<LeaseRecord>(&value);
    if (lease != nullptr && lease->term == Term())
        lease->term = Term(revision.value());
}

} // namespace octostore::backend
