// SPDX-License-Identifier: MIT
#include "coordination/StoreIdentity.h"

#include <octostore/base/Json.h>

#include <cstdlib>
#include <iterator>
#include <utility>
#include <vector>

namespace octostore::coordination
{

namespace
{

/// Engine transactions count from 1 up; these cannot meet them.
constexpr std::uint64_t firstOwnTransaction = std::uint64_t(1) << 63;

backend::Transaction metaPut(std::uint64_t id, const char* key, std::string text)
{
    backend::Transaction transaction;
    transaction.id = backend::TransactionId(firstOwnTransaction + id);
    transaction.priority = Priority::Keep;
    transaction.puts.push_back(
        {{backend::Collection::Meta, key}, backend::MetaRecord{std::move(text)}});
    return transaction;
}

constexpr std::uint64_t incarnationWrite = 1, clockWrite = 2;

} // namespace

void StoreIdentity::take(const backend::Record& record)
{
    if (record.key.collection != backend::Collection::Meta)
        return;
    const auto* meta = std::get_if<backend::MetaRecord>(&record.value);
    if (!meta)
        return;
    if (record.key.name == "incarnation")
    {
        _hasIncarnation = true;
        _incarnation = record.version;
    }
    if (record.key.name != "clock")
        return;
    const auto object = readJson(meta->text);
    if (!object)
        return;
    const JsonFields fields(*object);
    const auto clock = fields.optionalString("identity");
    const auto recoveredAt = fields.optionalInteger("recovered_at", INT64_MAX);
    if (clock && *clock && recoveredAt && *recoveredAt)
    {
        _clock = **clock;
        _recoveredAt = BootTime(BootClock::duration(**recoveredAt));
    }
}

/// Waits for `count` outcomes and returns the first failure among them, if any.
Result<void> StoreIdentity::await(Mailbox& mailbox, std::size_t count)
{
    Result<void> result;
    while (count > 0)
    {
        mailbox.wait(BootTime::max());
        Mailbox::Content content = mailbox.take();
        std::move(content.changes.begin(), content.changes.end(), std::back_inserter(_changes));
        for (const backend::Outcome& outcome : content.outcomes)
        {
            --count;
            const bool first =
                outcome.id == backend::TransactionId(firstOwnTransaction + incarnationWrite);
            if (const auto* failed = std::get_if<backend::Failed>(&outcome.result);
                failed && result)
                result = failed->error;
            else if (const auto* committed = std::get_if<backend::Committed>(&outcome.result);
                     committed && first)
                _incarnation = committed->revision;
            else if (const auto* met = std::get_if<backend::Conflict>(&outcome.result);
                     met && !met->current.empty())
            {
                _fresh = met->current[0];
                _incarnation = _fresh->version;
            }
        }
    }
    return result;
}

Result<BootTime> StoreIdentity::settle(backend::Backend& backend, Mailbox& mailbox, Random& random,
                                       const std::string& clock, Now now)
{
    std::vector<backend::Transaction> writes;
    const std::string incarnation = random.uuid().toString();
    if (!_hasIncarnation)
    {
        // Servers that start together on a new store: one of them writes it.
        writes.push_back(metaPut(incarnationWrite, "incarnation", incarnation));
        writes.back().conditions.push_back(
            {writes.back().puts[0].key, backend::Condition::Kind::Absent, {}});
    }
    if (backend.traits().shared)
        _recoveredAt = now.boot;
    else if (_clock != clock)
    {
        _clock = clock;
        _recoveredAt = now.boot;
        JsonWriter json;
        json.beginObject()
            .field("identity", std::string_view(clock))
            .field("recovered_at", now.boot.time_since_epoch().count())
            .endObject();
        writes.push_back(metaPut(clockWrite, "clock", json.take()));
    }
    const std::size_t count = writes.size();
    if (count > 0)
        backend.commit(std::move(writes));
    if (auto written = await(mailbox, count); !written)
        return written.error();
    if (!_hasIncarnation && !_fresh)
        _fresh = backend::Record{{backend::Collection::Meta, "incarnation"},
                                 backend::MetaRecord{incarnation},
                                 _incarnation};
    return _recoveredAt;
}

} // namespace octostore::coordination
