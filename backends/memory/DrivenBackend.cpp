// SPDX-License-Identifier: MIT
#include "DrivenBackend.h"

#include <algorithm>
#include <utility>

namespace octostore::memory
{

Fates::~Fates() = default;

DrivenBackend::DrivenBackend(std::shared_ptr<MemoryStore> store, const Clock& clock, Fates& fates)
    : _store(std::move(store)), _clock(clock), _fates(fates)
{
}

backend::Traits DrivenBackend::traits() const noexcept
{
    return {.shared = _store->isShared(), .durable = true};
}

void DrivenBackend::after(BootClock::duration time, Action action)
{
    _actions.emplace(std::make_pair(_clock.bootTime() + time, ++_lastAction), std::move(action));
}

std::optional<BootTime> DrivenBackend::next() const
{
    if (_actions.empty())
        return std::nullopt;
    return _actions.begin()->first.first;
}

void DrivenBackend::run()
{
    while (!_actions.empty() && _actions.begin()->first.first <= _clock.bootTime())
    {
        const Action action = std::move(_actions.begin()->second);
        _actions.erase(_actions.begin());
        action();
    }
}

Result<Revision> DrivenBackend::load(const backend::RecordSink& sink) noexcept
{
    _fed = _store->load(sink);
    return _fed;
}

Result<void> DrivenBackend::start(backend::BackendListener& listener) noexcept
{
    _listener = &listener;
    if (_store->isShared())
        feedAgain();
    return {};
}

void DrivenBackend::stop() noexcept
{
    crash();
}

void DrivenBackend::crash()
{
    _listener = nullptr;
    if (_store->isShared())
        return;
    _actions.clear();
    std::vector<backend::Transaction> written = std::exchange(_written, {});
    written.resize(std::min(written.size(), _fates.surviving(written.size())));
    for (backend::Transaction& transaction : written)
        _store->commit(std::move(transaction));
    _gathered.clear();
}

void DrivenBackend::commit(std::vector<backend::Transaction> batch) noexcept
{
    for (backend::Transaction& transaction : batch)
    {
        if (_store->isShared())
            send(std::move(transaction));
        else
            _gathered.push_back(std::move(transaction));
    }
    if (!_store->isShared() && _written.empty())
        synchronise();
}

void DrivenBackend::synchronise()
{
    _written = std::exchange(_gathered, {});
    if (_written.empty())
        return;
    const bool works = _fates.reachable() && _fates.ofCommit() != Fate::Unavailable;
    after(_fates.delay(), [this, works] { synchronised(works); });
}

void DrivenBackend::synchronised(bool works)
{
    std::vector<backend::Outcome> outcomes;
    for (backend::Transaction& transaction : std::exchange(_written, {}))
    {
        if (works)
            outcomes.push_back(_store->commit(std::move(transaction)));
        else
            outcomes.push_back({transaction.id, backend::Failed{{ErrorCode::Unavailable, "full"}}});
    }
    synchronise();
    _listener->outcomes(std::move(outcomes));
}

void DrivenBackend::send(backend::Transaction transaction)
{
    Fate fate = _fates.ofCommit();
    if (!_fates.reachable())
        fate = fate == Fate::Done ? Fate::Unavailable : Fate::LostRequest;
    const BootTime now = _clock.bootTime();
    _lastArrival = std::max(_lastArrival, now + _fates.delay());
    after(_lastArrival - now, [this, fate, moved = std::move(transaction)]() mutable
          { arrive(std::move(moved), fate); });
}

void DrivenBackend::arrive(backend::Transaction transaction, Fate fate)
{
    const backend::TransactionId id = transaction.id;
    switch (fate)
    {
    case Fate::Done:
        report(_store->commit(std::move(transaction)));
        return;
    case Fate::Conflict:
        report({id, backend::Conflict{}});
        return;
    case Fate::Unavailable:
        fail(id, ErrorCode::Unavailable);
        return;
    case Fate::LostAnswer:
        _store->commit(std::move(transaction));
        fail(id, ErrorCode::OutcomeUnknown);
        return;
    case Fate::LostRequest:
        fail(id, ErrorCode::OutcomeUnknown);
        return;
    case Fate::Late:
        break;
    }
    fail(id, ErrorCode::OutcomeUnknown);
    after(_fates.lateness(),
          [this, moved = std::move(transaction)]() mutable
          {
              const backend::Outcome outcome = _store->commit(std::move(moved));
              _fates.triedLate(std::holds_alternative<backend::Committed>(outcome.result));
          });
}

void DrivenBackend::report(backend::Outcome outcome)
{
    after(_fates.delay(),
          [this, moved = std::move(outcome)]
          {
              if (_listener)
                  _listener->outcomes({moved});
          });
}

void DrivenBackend::fail(backend::TransactionId id, ErrorCode code)
{
    report({id, backend::Failed{{code, "the store did not answer"}}});
}

void DrivenBackend::read(backend::ReadId request, std::vector<backend::Key> keys) noexcept
{
    after(_fates.delay(),
          [this, request, moved = std::move(keys)]
          {
              if (_listener)
                  _listener->records(request, _store->read(moved));
          });
}

void DrivenBackend::sync(backend::ReadId request) noexcept
{
    const bool works = _fates.reachable();
    after(_fates.delay() + _fates.delay(),
          [this, request, works]
          {
              if (!_listener)
                  return;
              if (works)
              {
                  feed();
                  _listener->caughtUp(request, _fed);
              }
              else
                  _listener->caughtUp(request,
                                      Error{ErrorCode::Unavailable, "the store did not answer"});
          });
}

void DrivenBackend::feed()
{
    MemoryStore::Changes changes = _store->changes(_fed);
    if (changes.upTo == _fed)
        return;
    _fed = changes.upTo;
    _listener->changes(std::move(changes.records), changes.upTo);
}

void DrivenBackend::feedAgain()
{
    after(_fates.lag(),
          [this]
          {
              if (!_listener)
                  return;
              if (_fates.reachable())
                  feed();
              feedAgain();
          });
}

Result<std::vector<event::Event>> DrivenBackend::events(Sequence after, std::size_t limit) noexcept
{
    return _store->events(after, limit);
}

Result<void> DrivenBackend::trimEvents(Sequence upTo) noexcept
{
    _store->trimEvents(upTo);
    return {};
}

} // namespace octostore::memory
