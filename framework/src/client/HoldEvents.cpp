// SPDX-License-Identifier: MIT
#include <octostore/client/HoldEvents.h>

#include <utility>

namespace octostore::client
{

namespace
{

constexpr int schemaVersion = 1;

template <class Duration>
std::int64_t milliseconds(Duration sinceEpoch)
{
    return std::chrono::duration_cast<Milliseconds>(sinceEpoch).count();
}

} // namespace

std::string_view toText(HoldKind kind) noexcept
{
    return kind == HoldKind::Election ? "election" : "lock";
}

HoldEvents::HoldEvents(HoldSubject subject, const Clock& clock)
    : _subject(std::move(subject)), _clock(clock)
{
}

std::string HoldEvents::waiting(Milliseconds retryAfter, std::string_view reason)
{
    return begin("waiting")
        .field("retry_after_ms", static_cast<std::int64_t>(retryAfter.count()))
        .field("reason_code", reason)
        .endObject()
        .take();
}

std::string HoldEvents::won(const LeaseFacts& lease, BootTime deadline)
{
    return authority(_subject.kind == HoldKind::Election ? "leader" : "acquired", lease, deadline);
}

std::string HoldEvents::renewed(const LeaseFacts& lease, BootTime deadline)
{
    return authority("renewed", lease, deadline);
}

std::string HoldEvents::released(std::uint64_t term, std::string_view reason)
{
    return begin("released").field("term", term).field("reason_code", reason).endObject().take();
}

std::string HoldEvents::lost(const LeaseFacts& lease, std::string_view reason)
{
    return ended("lost", lease, reason);
}

std::string HoldEvents::uncertain(const LeaseFacts& lease, std::string_view reason)
{
    return ended("uncertain", lease, reason);
}

std::string HoldEvents::error(std::string_view reason)
{
    return begin("error").field("reason_code", reason).endObject().take();
}

std::string HoldEvents::snapshot(std::string_view status)
{
    return begin("snapshot").key("snapshot").raw(status).endObject().take();
}

JsonWriter HoldEvents::begin(std::string_view event)
{
    JsonWriter json;
    json.beginObject()
        .field("schema_version", schemaVersion)
        .field("sequence", ++_sequence)
        .field("event", event)
        .field("kind", toText(_subject.kind))
        .field("name", _subject.name)
        .field("server", _subject.server)
        .field("observed_at", toRfc3339(_clock.wallTime()));
    if (_subject.kind == HoldKind::Election && !_subject.candidate.empty())
        json.field("candidate_id", _subject.candidate);
    return json;
}

std::string HoldEvents::authority(std::string_view event, const LeaseFacts& lease,
                                  BootTime deadline)
{
    const Now now = _clock.now();
    JsonWriter json = begin(event);
    json.field("term", lease.term);
    if (!lease.expiresAt.empty())
        json.field("expires_at", lease.expiresAt);
    return json.field("authority_remaining_ms", wholeMilliseconds(deadline - now.boot))
        .field("authority_observed_unix_ms", milliseconds(now.wall.time_since_epoch()))
        .field("authority_observed_continuous_ms", milliseconds(now.boot.time_since_epoch()))
        .endObject()
        .take();
}

std::string HoldEvents::ended(std::string_view event, const LeaseFacts& lease,
                              std::string_view reason)
{
    JsonWriter json = begin(event);
    json.field("term", lease.term);
    if (!lease.expiresAt.empty())
        json.field("expires_at", lease.expiresAt);
    return json.field("reason_code", reason).endObject().take();
}

} // namespace octostore::client
