// SPDX-License-Identifier: MIT
#include "Workload.h"

#include <variant>

namespace octostore::test
{

Workload::Workload(backend::Backend& backend, RecordingListener& listener, Ledger& ledger,
                   std::map<backend::Key, backend::Record> known)
    : _backend(backend), _listener(listener), _ledger(ledger), _known(std::move(known))
{
}

std::vector<std::uint64_t> Workload::submit()
{
    std::vector<std::uint64_t> numbers;
    std::vector<backend::Transaction> batch;
    for (std::uint64_t i = 0; i < Ledger::names; ++i)
    {
        numbers.push_back(_ledger.ask());
        batch.push_back(Ledger::transaction(numbers.back(), _known));
    }
    _backend.commit(std::move(batch));
    return numbers;
}

std::size_t Workload::runBatch()
{
    const std::vector<std::uint64_t> numbers = submit();
    const std::vector<backend::Outcome> outcomes = _listener.takeOutcomes(numbers.size());
    if (outcomes.size() != numbers.size())
        _ledger.complain("a transaction got no outcome");
    std::size_t committed = 0;
    for (const backend::Outcome& outcome : outcomes)
        committed += book(outcome) ? 1U : 0U;
    compareWithReads();
    return committed;
}

void Workload::leaveBatch()
{
    submit();
}

void Workload::collect()
{
    for (const backend::Outcome& outcome : _listener.takeOutcomes(_listener.outcomesReported()))
        book(outcome);
}

bool Workload::book(const backend::Outcome& outcome)
{
    const std::uint64_t number = outcome.id.value();
    if (const auto* committed = std::get_if<backend::Committed>(&outcome.result))
    {
        _ledger.committed(number, committed->revision);
        Ledger::perform(number, committed->revision, _known);
        return true;
    }
    if (const auto* failed = std::get_if<backend::Failed>(&outcome.result))
    {
        if (failed->error.code == ErrorCode::Unavailable)
            _ledger.refused(number);
        return false;
    }
    _ledger.complain("a conflict: something told before was wrong");
    return false;
}

void Workload::compareWithReads()
{
    std::vector<backend::Key> keys;
    for (std::uint64_t i = 0; i < Ledger::names; ++i)
    {
        keys.push_back(Ledger::leaseKeyOf(i));
        keys.push_back(Ledger::textKeyOf(i));
    }
    const backend::ReadId id(++_reads);
    _backend.read(id, keys);
    const auto answer = _listener.takeRecords(id);
    if (!answer)
        return _ledger.complain("a read got no answer");
    if (!answer->ok())
        return; // a store that does not know may say so
    for (const backend::Record& record : **answer)
    {
        const auto known = _known.find(record.key);
        const backend::Record expected =
            known == _known.end() ? backend::Record{record.key, {}, Revision{}} : known->second;
        if (record != expected)
            _ledger.complain("a read of " + record.key.name + " is stale");
    }
}

} // namespace octostore::test
