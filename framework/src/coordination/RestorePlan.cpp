// SPDX-License-Identifier: MIT
#include "coordination/RestorePlan.h"

#include "coordination/Rules.h"

#include <octostore/base/Json.h>

#include <cstdint>

namespace octostore::coordination
{

namespace
{

constexpr const char* markName = "restored";
/// More than any server commits between a snapshot and its end.
constexpr std::uint64_t revisionsSkipped = std::uint64_t(1) << 40;

} // namespace

void planRestore(backend::RestoreOrder& order, Uuid incarnation, const std::string& clock, Now now,
                 Milliseconds wait)
{
    const auto meta = [](const char* name) {
        return backend::Key{backend::Collection::Meta, name};
    };
    JsonWriter json;
    json.beginObject()
        .field("clock", std::string_view(clock))
        .field("grants_at", (now.boot + wait).time_since_epoch().count())
        .field("wait_ms", static_cast<std::int64_t>(wait.count()))
        .endObject();
    order.skip = revisionsSkipped;
    order.puts.push_back({meta("incarnation"), backend::MetaRecord{incarnation.toString()}});
    order.puts.push_back({meta(markName), backend::MetaRecord{json.take()}});
    // Since when the clock is what it is counts anew from the first start.
    order.erasures.push_back(meta("clock"));
}

void RestoreMark::take(const backend::Record& record)
{
    const auto* meta = std::get_if<backend::MetaRecord>(&record.value);
    if (meta == nullptr || record.key.name != markName)
        return;
    _base = record.version;
    const auto object = readJson(meta->text);
    if (!object)
        return;
    const JsonFields fields(*object);
    const auto clock = fields.optionalString("clock");
    const auto at = fields.optionalInteger("grants_at", INT64_MAX);
    const auto wait = fields.optionalInteger("wait_ms", INT64_MAX);
    if (!clock || !*clock || !at || !*at || !wait || !*wait)
        return;
    _grants.clock = **clock;
    _grants.boot = BootTime(BootClock::duration(**at));
    _wait = Milliseconds(**wait);
}

void RestoreMark::renewTime(backend::Record& record) const
{
    if (record.version > _base)
        return;
    if (auto* lease = std::get_if<backend::LeaseRecord>(&record.value))
        lease->deadline.clock = {};
    else if (auto* session = std::get_if<backend::SessionRecord>(&record.value))
        session->deadline.clock = {};
}

std::optional<BootTime> RestoreMark::grantsFrom(const SharedText& clock, BootTime recoveredAt,
                                                Now now) const
{
    if (_wait.count() == 0)
        return std::nullopt;
    backend::Deadline grants = _grants;
    adopt(grants, _wait, clock, recoveredAt, now);
    return grants.boot;
}

} // namespace octostore::coordination
