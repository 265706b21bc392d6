// SPDX-License-Identifier: MIT
#include "Frames.h"

#include <octostore/base/Json.h>
#include <octostore/event/EventJson.h>

#include <optional>
#include <utility>

namespace octostore::watches
{

namespace
{

using event::ResourceKind;
using event::Type;

/// What earlier clients of lock watches know as words.
enum class Word : std::uint8_t
{
    Acquired,
    Released,
    Expired,
    Other, ///< nothing that happens to a lease
};

Word wordOf(Type type) noexcept
{
    switch (type)
    {
    case Type::LockAcquired:
    case Type::LeaderElected:
        return Word::Acquired;
    case Type::LockReleased:
    case Type::LockForceReleased:
    case Type::LeaderResigned:
    case Type::LeaderRemoved:
        return Word::Released;
    case Type::LockExpired:
    case Type::LeaderExpired:
        return Word::Expired;
    default:
        return Word::Other;
    }
}

std::string_view textOf(Word word) noexcept
{
    switch (word)
    {
    case Word::Acquired:
        return "acquired";
    case Word::Released:
        return "released";
    case Word::Expired:
        return "expired";
    case Word::Other:
        break;
    }
    return "";
}

/// Who has it, as far as watchers are told.
struct Holder
{
    std::string_view name;
    const std::optional<std::string>* metadata;
    Term term;
    std::optional<WallTime> expiresAt;
};

/// What a frame of a name tells.
enum class Tells
{
    Change,
    Snapshot,
};

std::string frameText(std::string_view fields, const std::string& json,
                      std::optional<std::uint64_t> id)
{
    std::string text(fields);
    text.append("data: ").append(json).append("\n");
    if (id)
        text.append("id: ").append(std::to_string(*id)).append("\n");
    return text.append("\n");
}

std::string lockText(std::string_view word, std::string_view name, const Holder* holder,
                     WallTime time, Tells tells, std::optional<std::uint64_t> id)
{
    JsonWriter json;
    json.beginObject().field("event", word).field("lock_name", name);
    if (holder != nullptr)
    {
        json.field("fencing_token", holder->term.value());
        if (holder->expiresAt)
            json.field("expires_at", toRfc3339(*holder->expiresAt));
    }
    json.field("observed_at", toRfc3339(time));
    if (tells == Tells::Snapshot)
        json.field("snapshot", true);
    return frameText({}, json.endObject().take(), id);
}

std::string roomText(std::string_view room, const Holder* leader, std::uint64_t retryAfterMs,
                     WallTime time, Tells tells, std::optional<std::uint64_t> id)
{
    JsonWriter json;
    json.beginObject().field("schema_version", 1).field("election_id", room);
    json.field("status", leader != nullptr ? "leader" : "vacant");
    if (leader == nullptr)
        json.null("leader");
    else
    {
        json.key("leader").beginObject().field("candidate_id", leader->name);
        if (*leader->metadata)
            json.field("metadata", *leader->metadata);
        json.field("term", leader->term.value());
        if (leader->expiresAt)
            json.field("expires_at", toRfc3339(*leader->expiresAt));
        json.endObject();
    }
    json.field("retry_after_ms", retryAfterMs).field("observed_at", toRfc3339(time));
    if (tells == Tells::Snapshot)
        json.field("snapshot", true);
    return frameText("event: state\nretry:1000\n", json.endObject().take(), id);
}

/// As told at the time of the event, so that a replayed frame equals the one that was missed.
std::uint64_t leftAt(WallTime time, const std::optional<WallTime>& expiresAt)
{
    return expiresAt ? wholeMilliseconds(*expiresAt - time) : 0;
}

} // namespace

Frame makeFrame(std::string text)
{
    return std::make_shared<const std::string>(std::move(text));
}

Frame lockSnapshot(const coordination::Status& status, WallTime now)
{
    const std::uint64_t id = status.asOf.value();
    if (!status.lease)
        return makeFrame(
            lockText(textOf(Word::Released), status.name, nullptr, now, Tells::Snapshot, id));
    const Holder holder{status.lease->label, nullptr, status.lease->term, status.lease->expiresAt};
    return makeFrame(
        lockText(textOf(Word::Acquired), status.name, &holder, now, Tells::Snapshot, id));
}

Frame roomSnapshot(std::string_view room, const coordination::Status& status, Now now)
{
    const std::uint64_t id = status.asOf.value();
    if (!status.lease)
        return makeFrame(roomText(room, nullptr, 0, now.wall, Tells::Snapshot, id));
    const coordination::LeaseView& lease = *status.lease;
    const Holder leader{lease.label, &lease.metadata, lease.term, lease.expiresAt};
    return makeFrame(roomText(room, &leader, wholeMilliseconds(lease.deadline - now.boot), now.wall,
                              Tells::Snapshot, id));
}

std::vector<Frame> transitionFrames(const event::Event& event)
{
    const event::Draft& what = event.what;
    std::vector<Frame> frames;
    for (std::size_t i = 0; i < what.facts.size(); ++i)
    {
        const Word word = wordOf(what.facts[i]);
        if (word == Word::Other)
            continue;
        // A resume from an earlier id brings both: only who has both has the event.
        const auto id =
            i + 1 == what.facts.size() ? std::optional(event.sequence.value()) : std::nullopt;
        std::optional<Holder> holder;
        if (word == Word::Acquired && what.current)
            holder = Holder{what.current->holder, &what.current->metadata, what.current->term,
                            what.current->expiresAt};
        const Holder* shown = holder ? &*holder : nullptr;
        frames.push_back(
            makeFrame(what.kind == ResourceKind::Lock
                          ? lockText(textOf(word), what.name, shown, what.time, Tells::Change, id)
                          : roomText(what.name, shown,
                                     shown != nullptr ? leftAt(what.time, shown->expiresAt) : 0,
                                     what.time, Tells::Change, id)));
    }
    return frames;
}

Frame renewalFrame(const event::Renewal& renewal)
{
    const Holder holder{renewal.holder, &renewal.metadata, renewal.term, renewal.expiresAt};
    if (renewal.kind == ResourceKind::Lock)
        return makeFrame(
            lockText("renewed", renewal.name, &holder, renewal.time, Tells::Change, std::nullopt));
    return makeFrame(roomText(renewal.name, &holder, leftAt(renewal.time, renewal.expiresAt),
                              renewal.time, Tells::Change, std::nullopt));
}

Frame eventFrame(const event::Event& event)
{
    std::string fields = "event: ";
    fields.append(event::typeName(event.what.type)).append("\n");
    return makeFrame(frameText(fields, event::toJson(event), event.sequence.value()));
}

Frame resetFrame()
{
    static const Frame frame = makeFrame("event: reset\ndata: {}\n\n");
    return frame;
}

Frame laggedFrame()
{
    static const Frame frame = makeFrame("event: lagged\ndata: {}\n\n");
    return frame;
}

Frame commentFrame(std::string_view text)
{
    return makeFrame(text.empty() ? ":\n\n" : ": " + std::string(text) + "\n\n");
}

} // namespace octostore::watches
