// SPDX-License-Identifier: MIT
#include "Planted.h"

#include "TurnJudge.h"

#include <utility>

namespace octostore::simulation
{

namespace
{

/// Whose turn it is is neither looked at nor written.
void forgetTurns(backend::Transaction& transaction)
{
    std::erase_if(transaction.conditions,
                  [](const backend::Condition& condition) { return isTurns(condition.key); });
    std::erase_if(transaction.puts, [](const backend::Put& put) { return isTurns(put.key); });
    std::erase_if(transaction.erasures, isTurns);
}

/// Only grants leave the term open.
void halve(backend::Transaction& transaction)
{
    for (backend::Put& put : transaction.puts)
        if (auto* lease = std::get_if<backend::LeaseRecord>(&put.value);
            lease && lease->state == backend::LeaseState::Held && lease->term != Term())
        {
            lease->ttl /= 2;
            lease->deadline.boot -= lease->ttl;
        }
}

} // namespace

Result<Revision> PlantedBackend::load(const backend::RecordSink& sink) noexcept
{
    return _real.load(
        [&](backend::Record record)
        {
            if (_bug != Bug::ServerOvertaken || !isTurns(record.key))
                sink(std::move(record));
        });
}

void PlantedBackend::changes(std::vector<backend::Record> batch, Revision upTo) noexcept
{
    if (_bug == Bug::ServerOvertaken)
        std::erase_if(batch, [](const backend::Record& record) { return isTurns(record.key); });
    _listener->changes(std::move(batch), upTo);
}

Result<void> PlantedBackend::start(backend::BackendListener& listener) noexcept
{
    _listener = &listener;
    return _real.start(*this);
}

void PlantedBackend::commit(std::vector<backend::Transaction> batch) noexcept
{
    if (_bug == Bug::TermReused)
        for (const backend::Transaction& transaction : batch)
            if (transaction.event && transaction.event->current && !transaction.puts.empty() &&
                transaction.puts[0].key.collection == backend::Collection::Lease)
                _grants.insert(transaction.id);
    if (_bug == Bug::ServerOvertaken)
        for (backend::Transaction& transaction : batch)
            forgetTurns(transaction);
    if (_bug == Bug::Shortened)
        for (backend::Transaction& transaction : batch)
            halve(transaction);
    if (_bug != Bug::AcknowledgedEarly)
    {
        _real.commit(std::move(batch));
        return;
    }
    std::uint64_t revision = _store.revision().value();
    std::vector<backend::Outcome> early;
    for (const backend::Transaction& transaction : batch)
        early.push_back({transaction.id, backend::Committed{Revision(++revision)}});
    _real.commit(std::move(batch));
    _listener->outcomes(std::move(early));
}

void PlantedBackend::outcomes(std::vector<backend::Outcome> batch) noexcept
{
    if (_bug == Bug::AcknowledgedEarly)
        return;
    if (_bug == Bug::TermReused)
        for (backend::Outcome& outcome : batch)
            if (auto* committed = std::get_if<backend::Committed>(&outcome.result);
                committed && _grants.erase(outcome.id) > 0)
                committed->revision = Revision(committed->revision.value() - 1);
    _listener->outcomes(std::move(batch));
}

void PlantedBackend::sync(backend::ReadId request) noexcept
{
    if (_bug == Bug::StaleView)
        _listener->caughtUp(request, Revision());
    else
        _real.sync(request);
}

void PlantedBackend::caughtUp(backend::ReadId request, Result<Revision> upTo) noexcept
{
    _listener->caughtUp(request, std::move(upTo));
}

Result<std::vector<event::Event>> PlantedBackend::events(Sequence after, std::size_t limit) noexcept
{
    auto found = _real.events(after, limit);
    if (!found || found->size() < 2)
        return found;
    if (_bug == Bug::EventSkipped)
        found->erase(found->begin());
    if (_bug == Bug::EventsOutOfOrder)
        std::swap(found->front(), found->back());
    return found;
}

} // namespace octostore::simulation
