// SPDX-License-Identifier: MIT
#include "Decoder.h"

#include <octostore/backend/Codec.h>

#include <algorithm>
#include <utility>

namespace octostore::backend
{

namespace
{

std::int64_t nanoseconds(WallTime time)
{
    return time.time_since_epoch().count();
}

void writeHolding(JsonWriter& json, std::string_view key,
                  const std::optional<event::Holding>& holding)
{
    if (!holding)
        return;
    json.key(key).beginObject();
    json.field("holder", holding->holder).field("term", holding->term.value());
    if (holding->expiresAt)
        json.field("expires", nanoseconds(*holding->expiresAt));
    if (holding->metadata)
        json.field("metadata", *holding->metadata);
    json.endObject();
}

std::optional<event::Holding> readHolding(Decoder& from, std::string_view key)
{
    const JsonValue::Object* object = from.object(key);
    if (object == nullptr)
        return std::nullopt;
    Decoder fields(*object);
    event::Holding holding;
    holding.holder = fields.string("holder");
    holding.term = Term(fields.counter("term"));
    if (fields.has("expires"))
        holding.expiresAt = fields.wallTime("expires");
    if (fields.has("metadata"))
        holding.metadata = fields.string("metadata");
    if (!fields.ok())
        from.fail();
    return holding;
}

std::optional<event::Type> typeNumbered(std::int64_t number)
{
    if (number < static_cast<int>(event::Type::LockAcquired) ||
        number > static_cast<int>(event::lastType))
        return std::nullopt;
    return static_cast<event::Type>(number);
}

std::vector<event::Type> readFacts(Decoder& from, const JsonValue::Object& object)
{
    std::vector<event::Type> facts;
    const auto found = object.find("facts");
    const JsonValue::Array* array = found != object.end() ? found->second.asArray() : nullptr;
    if (array == nullptr)
    {
        from.fail();
        return facts;
    }
    for (const JsonValue& element : *array)
    {
        const std::int64_t* number = element.asInteger();
        const std::optional<event::Type> fact = typeNumbered(number != nullptr ? *number : 0);
        if (fact)
            facts.push_back(*fact);
        else
            from.fail();
    }
    return facts;
}

} // namespace

std::string encodeEvent(const event::Draft& draft)
{
    JsonWriter json;
    json.beginObject().field("v", codecVersion).field("type", static_cast<int>(draft.type));
    json.key("facts").beginArray();
    for (const event::Type fact : draft.facts)
        json.value(static_cast<int>(fact));
    json.endArray();
    json.field("time", nanoseconds(draft.time));
    json.field("kind", static_cast<int>(draft.kind)).field("name", draft.name);
    json.field("cause", static_cast<int>(draft.cause));
    if (!draft.reason.empty())
        json.field("reason", draft.reason);
    json.field("actor", static_cast<int>(draft.actor.kind)).field("by", draft.actor.name);
    if (!draft.request.isNil())
        json.field("request", toHex(draft.request.uuid.bytes));
    writeHolding(json, "previous", draft.previous);
    writeHolding(json, "current", draft.current);
    if (draft.vacantMs)
        json.field("vacant", *draft.vacantMs);
    return json.endObject().take();
}

Result<event::Draft> decodeEvent(std::string_view text)
{
    const Result<JsonValue::Object> object = readJson(text);
    if (!object)
        return corrupt("a stored event cannot be read: " + object.error().message);
    Decoder from(*object);
    if (from.integer("v") != codecVersion)
        return corrupt("a stored event has an unknown version");

    event::Draft draft;
    draft.type = from.enumerator("type", event::Type::LockAcquired, event::lastType);
    draft.facts = readFacts(from, *object);
    draft.time = from.wallTime("time");
    draft.kind = from.enumerator("kind", event::ResourceKind::Lock, event::ResourceKind::Backup);
    draft.name = from.string("name");
    draft.cause = from.enumerator("cause", event::Cause::None, event::Cause::Undelivered);
    if (from.has("reason"))
        draft.reason = from.string("reason");
    draft.actor.kind = from.enumerator("actor", event::ActorKind::System, event::ActorKind::Admin);
    draft.actor.name = from.string("by");
    draft.request.uuid = from.optionalUuid("request");
    draft.previous = readHolding(from, "previous");
    draft.current = readHolding(from, "current");
    if (from.has("vacant"))
        draft.vacantMs = from.counter("vacant");
    if (!from.ok())
        return corrupt("a stored event has a missing or a wrong member");
    return draft;
}

void stamp(event::Draft& draft, Revision revision) noexcept
{
    if (draft.kind != event::ResourceKind::Lock && draft.kind != event::ResourceKind::Election)
        return; // a session has no term
    for (std::optional<event::Holding>* holding : {&draft.previous, &draft.current})
    {
        if (*holding && (*holding)->term == Term())
            (*holding)->term = Term(revision.value());
    }
}

} // namespace octostore::backend
