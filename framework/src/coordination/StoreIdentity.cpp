// SPDX-License-Identifier: MIT
#include "coordination/StoreIdentity.h"

#include <octostore/base/Json.h>

#include <cstdlib>
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

/// Waits for `count` outcomes; an error is the first that is none of success. `incarnation`: when
/// that was written.
Result<void> await(Mailbox& mailbox, std::size_t count, Revision& incarnation)
{
    Result<void> result;
    while (count > 0)
    {
        mailbox.wait(BootTime::max());
        for (const backend::Outcome& outcome : mailbox.take().outcomes)
        {
            --count;
            if (const auto* failed = std::get_if<backend::Failed>(&outcome.result);
                failed && result)
                result = failed->error;
            const auto* committed = std::get_if<backend::Committed>(&outcome.result);
            if (committed != nullptr &&
                outcome.id == backend::TransactionId(firstOwnTransaction + incarnationWrite))
                incarnation = committed->revision;
        }
    }
    return result;
}

} // namespace

void StoreIdentity::take(const backend::Record& record)
{
    if (record.key.collection != backend::Collection::Meta)
        return;
    const auto* meta = std::get_if<backend::MetaRecord>(&record.value);
    if (!meta)
        return;
    if (record.key.name == "incarnation")
        _hasIncarnation = true;
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

Result<BootTime> StoreIdentity::settle(backend::Backend& backend, Mailbox& mailbox, Random& random,
                                       const std::string& clock, Now now)
{
    std::vector<backend::Transaction> writes;
    const std::string incarnation = random.uuid().toString();
    if (!_hasIncarnation)
        writes.push_back(metaPut(incarnationWrite, "incarnation", incarnation));
    if (_clock != clock)
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
    Revision writtenAt;
    if (auto written = await(mailbox, count, writtenAt); !written)
        return written.error();
    if (!_hasIncarnation)
        _fresh = backend::Record{{backend::Collection::Meta, "incarnation"},
                                 backend::MetaRecord{incarnation},
                                 writtenAt};
    return _recoveredAt;
}

} // namespace octostore::coordination
