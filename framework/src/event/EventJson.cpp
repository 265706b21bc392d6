// SPDX-License-Identifier: MIT
#include <octostore/base/Json.h>
#include <octostore/event/EventJson.h>

namespace octostore::event
{

namespace
{

void writeHolding(JsonWriter& json, std::string_view key, const std::optional<Holding>& holding)
{
    if (!holding)
    {
        json.null(key);
        return;
    }
    json.key(key).beginObject().field("holder", holding->holder);
    if (holding->term != Term())
        json.field("term", holding->term.value());
    if (holding->expiresAt)
        json.field("expires_at", toRfc3339(*holding->expiresAt));
    json.endObject();
}

void writeNamed(JsonWriter& json, std::string_view key, std::string_view kind,
                const std::string& name)
{
    json.key(key).beginObject().field("kind", kind).field("name", name).endObject();
}

} // namespace

std::string toJson(const Event& event)
{
    const Draft& what = event.what;
    JsonWriter json;
    json.beginObject().field("sequence", event.sequence.value());
    json.field("type", typeName(what.type));
    json.key("facts").beginArray();
    for (const Type fact : what.facts)
        json.value(typeName(fact));
    json.endArray();
    json.field("time", toRfc3339(what.time));
    writeNamed(json, "resource", resourceKindName(what.kind), what.name);
    if (what.cause == Cause::None)
        json.null("cause");
    else
        json.field("cause", causeName(what.cause));
    writeNamed(json, "actor", actorKindName(what.actor.kind), what.actor.name);
    if (what.request.isNil())
        json.null("request_id");
    else
        json.field("request_id", toWire(what.request));
    writeHolding(json, "previous", what.previous);
    writeHolding(json, "current", what.current);
    if (what.vacantMs)
        json.field("vacant_ms", *what.vacantMs);
    else
        json.null("vacant_ms");
    if (!what.reason.empty())
        json.field("reason", what.reason);
    return json.endObject().take();
}

} // namespace octostore::event
