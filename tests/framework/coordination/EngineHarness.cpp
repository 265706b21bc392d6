// SPDX-License-Identifier: MIT
/// @file
/// An engine with a clock that a test moves and a store that a test answers for.
#include "EngineHarness.h"

#include <octostore/backend/Codec.h>

#include <algorithm>

namespace octostore::coordination::test
{

using backend::Condition;
using backend::LeaseRecord;
using backend::LeaseState;

namespace
{

bool isGrant(event::Type type)
{
    return type == event::Type::LockAcquired || type == event::Type::LeaderElected;
}

const LeaseRecord* leaseIn(const backend::Record* record)
{
    return record ? std::get_if<LeaseRecord>(&record->value) : nullptr;
}

bool isHeld(const LeaseRecord* lease)
{
    return lease && lease->state == LeaseState::Held;
}

} // namespace

bool CheckedStore::holds(const Condition& condition) const
{
    const auto found = _records.find(condition.key);
    switch (condition.kind)
    {
    case Condition::Kind::Absent:
        return found == _records.end();
    case Condition::Kind::Present:
        return found != _records.end();
    case Condition::Kind::AtVersion:
        return found != _records.end() && found->second.version == condition.version;
    }
    return false;
}

const LeaseRecord* CheckedStore::lease(const std::string& name) const
{
    const auto found = _records.find({backend::Collection::Lease, name});
    return found == _records.end() ? nullptr : leaseIn(&found->second);
}

void CheckedStore::checkLease(const std::string& name, const LeaseRecord* before,
                              const LeaseRecord* after, const std::optional<event::Draft>& event,
                              BootTime decided)
{
    const bool granted = isHeld(after) && (!isHeld(before) || before->term != after->term);
    const bool ended = isHeld(before) && (granted || !isHeld(after));
    if (granted)
    {
        EXPECT_GT(after->term, _lastTerms[name]) << "G1: " << name;
        EXPECT_EQ(after->term, Term(_revision.value()));
        _lastTerms[name] = after->term;
        const bool cooling = before && before->state == LeaseState::Cooling;
        EXPECT_TRUE(!cooling || decided >= before->deadline.boot)
            << "granted within the lock delay: " << name;
    }
    const bool byTime = ended && event && event->cause == event::Cause::Ttl;
    EXPECT_TRUE(!byTime || decided >= before->deadline.boot) << "G4: ended early: " << name;
    // G2 and G7: whoever gets the lease follows an end that the journal tells.
    std::size_t ends = 0, grants = 0;
    if (event)
        for (const event::Type fact : event->facts)
            ++(isGrant(fact) ? grants : ends);
    EXPECT_EQ(grants, granted ? 1U : 0U) << "facts of " << name;
    EXPECT_EQ(ends, ended ? 1U : 0U) << "facts of " << name;
    if (ended && event)
    {
        EXPECT_TRUE(event->previous && event->previous->term == before->term);
        EXPECT_NE(event->cause, event::Cause::None);
    }
    EXPECT_TRUE(!granted || !event || (event->current && event->current->term == after->term));
}

backend::Outcome CheckedStore::commit(backend::Transaction transaction, BootTime decided)
{
    EXPECT_TRUE(isWellFormed(transaction));
    backend::Conflict conflict;
    for (const Condition& condition : transaction.conditions)
        if (!holds(condition))
        {
            const auto found = _records.find(condition.key);
            conflict.current.push_back(found == _records.end()
                                           ? backend::Record{condition.key, {}, Revision(0)}
                                           : found->second);
        }
    if (!conflict.current.empty())
        return {transaction.id, std::move(conflict)};

    _revision = Revision(_revision.value() + 1);
    if (transaction.event)
    {
        backend::stamp(*transaction.event, _revision);
        _journal.push_back({Sequence(_revision.value()), *transaction.event});
    }
    for (backend::Put& put : transaction.puts)
    {
        backend::stamp(put.value, _revision);
        const auto found = _records.find(put.key);
        const backend::Record after{put.key, std::move(put.value), _revision};
        if (put.key.collection == backend::Collection::Lease)
            checkLease(put.key.name, found == _records.end() ? nullptr : leaseIn(&found->second),
                       leaseIn(&after), transaction.event, decided);
        _records[put.key] = after;
    }
    for (const backend::Key& key : transaction.erasures)
    {
        EXPECT_FALSE(key.collection == backend::Collection::Lease && isHeld(lease(key.name)));
        _records.erase(key);
    }
    return {transaction.id, backend::Committed{_revision}};
}

std::vector<backend::Record> CheckedStore::changes(const backend::Transaction& transaction) const
{
    std::vector<backend::Record> changed;
    for (const backend::Put& put : transaction.puts)
        changed.push_back(_records.at(put.key));
    for (const backend::Key& key : transaction.erasures)
        changed.push_back({key, {}, _revision});
    return changed;
}

EngineHarness::EngineHarness(Limits limits, bool shared)
    : _limits(std::move(limits)), _shared(shared)
{
    if (_limits.clock.empty())
        _limits.clock = "this-boot";
    _engine = std::make_unique<Engine>(_limits);
    if (_shared)
        share();
}

void EngineHarness::share()
{
    backend::Transaction first;
    first.puts.push_back({{backend::Collection::Meta, "incarnation"}, backend::MetaRecord{"this"}});
    (void)_store.commit(std::move(first), now.boot);
    _engine->share({_store.revision(), 1, "server"});
    for (const auto& [key, record] : _store.records())
        _engine->restore(record, now.boot, now);
    _engine->restored(now);
}

/// On a shared store: what was committed, and then whether that is all.
void EngineHarness::feed()
{
    if (!_changes.empty())
        _engine->changes(std::exchange(_changes, {}), _store.revision(), now);
    if (const auto sync = std::exchange(_sync, std::nullopt))
        _engine->caughtUp(*sync, _store.revision(), now);
}

Ticket EngineHarness::submit(Request request)
{
    const Ticket ticket(++_lastTicket);
    _open.insert(ticket);
    _engine->submit(ticket, std::move(request), now);
    settle();
    return ticket;
}

Ticket EngineHarness::submit(const std::string& name, Operation operation, Milliseconds wait)
{
    Request request;
    request.name = name;
    request.operation = std::move(operation);
    request.actor = {event::ActorKind::User, "tester"};
    request.id = idOf<RequestId>(_lastTicket + 1);
    request.arrived = now.boot;
    request.wait = wait;
    return submit(std::move(request));
}

void EngineHarness::abandon(Ticket ticket)
{
    _open.erase(ticket);
    _engine->abandon(ticket, now);
    settle();
}

void EngineHarness::drain()
{
    _engine->drain(now);
    settle();
}

void EngineHarness::step(BootClock::duration time)
{
    now.boot += time;
    now.wall += time;
}

void EngineHarness::passUntil(BootTime instant)
{
    for (int turns = 0;; ++turns)
    {
        const auto next = _engine->nextDeadline();
        if (!next || *next > instant)
            break;
        if (turns == 1'000'000)
        {
            ADD_FAILURE() << "the next deadline does not move on";
            break;
        }
        if (*next > now.boot)
            step(*next - now.boot);
        advance();
    }
    if (instant > now.boot)
        step(instant - now.boot);
    advance();
}

void EngineHarness::advance()
{
    for (int turns = 0; _engine->advance(now, 256); ++turns)
    {
        collect();
        if (turns == 1'000'000)
        {
            ADD_FAILURE() << "there is always more to do";
            return;
        }
    }
    settle();
    const auto next = _engine->nextDeadline();
    if (next && !_engine->advance(now, 256))
    {
        settle();
        const auto after = _engine->nextDeadline();
        EXPECT_TRUE(!after || *after > now.boot) << "nothing is due, and yet a deadline has passed";
    }
}

void EngineHarness::restart()
{
    _engine = std::make_unique<Engine>(_limits);
    pending.clear();
    _open.clear();
    _restarted = true;
    const std::map<backend::Key, backend::Record> records =
        real ? real->reopen() : _store.records();
    EXPECT_TRUE(records == _store.records()) << "what was kept is what was committed";
    for (const auto& [key, record] : records)
        _engine->restore(record, now.boot, now);
    _engine->restored(now);
    settle();
}

void EngineHarness::settle()
{
    collect();
    while ((immediate && !pending.empty()) || _sync || !_changes.empty())
    {
        if (immediate && !pending.empty())
            commitAll();
        feed();
        collect();
    }
}

void EngineHarness::collect()
{
    Output output = _engine->take();
    if (output.sync)
        _sync = output.sync;
    if (output.journal)
        for (const event::Event& event : _store.journal())
            if (event.sequence > _lastEvent)
                output.events.push_back(event);
    for (backend::Transaction& transaction : output.commits)
    {
        for (const Pending& other : pending)
        {
            EXPECT_NE(other.transaction.id, transaction.id);
            for (const backend::Put& put : transaction.puts)
                for (const backend::Put& busy : other.transaction.puts)
                    EXPECT_FALSE(put.key == busy.key) << "two in flight: " << put.key.name;
        }
        pending.push_back({std::move(transaction), now.boot});
    }
    for (auto& [ticket, reply] : output.replies)
    {
        EXPECT_EQ(_open.erase(ticket), 1U)
            << "answered twice, abandoned or unknown: " << ticket.value();
        _replies.insert_or_assign(ticket, reply);
        _fresh.emplace_back(ticket, std::move(reply));
    }
    for (event::Event& happened : output.events)
    {
        EXPECT_GT(happened.sequence, _lastEvent);
        _lastEvent = happened.sequence;
        _events.push_back(std::move(happened));
    }
    EXPECT_EQ(_engine->inFlight(), pending.size());
}

void EngineHarness::commit(std::size_t index)
{
    ASSERT_LT(index, pending.size());
    Pending taken = std::move(pending[index]);
    pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(index));
    std::vector<backend::Outcome> outcomes;
    outcomes.push_back(_store.commit(std::move(taken.transaction), taken.decided));
    EXPECT_TRUE(mayConflict || !std::holds_alternative<backend::Conflict>(outcomes[0].result));
    _engine->outcomes(std::move(outcomes), now);
    settle();
}

void EngineHarness::commitAll()
{
    std::vector<Pending> batch = std::exchange(pending, {});
    std::vector<backend::Outcome> outcomes;
    for (Pending& taken : batch)
    {
        outcomes.push_back(_store.commit(taken.transaction, taken.decided));
        if (_shared && std::holds_alternative<backend::Committed>(outcomes.back().result))
            for (backend::Record& record : _store.changes(taken.transaction))
                _changes.push_back(std::move(record));
        EXPECT_TRUE(mayConflict ||
                    !std::holds_alternative<backend::Conflict>(outcomes.back().result));
    }
    if (real)
        commitReally(batch, outcomes);
    _engine->outcomes(std::move(outcomes), now);
    collect();
}

void EngineHarness::commitReally(const std::vector<Pending>& batch,
                                 const std::vector<backend::Outcome>& expected)
{
    std::vector<backend::Transaction> transactions;
    for (const Pending& taken : batch)
        transactions.push_back(taken.transaction);
    const std::vector<backend::Outcome> outcomes = real->commit(std::move(transactions));
    ASSERT_EQ(outcomes.size(), expected.size());
    for (std::size_t i = 0; i < outcomes.size(); ++i)
    {
        EXPECT_EQ(outcomes[i].id, expected[i].id);
        const auto* committed = std::get_if<backend::Committed>(&outcomes[i].result);
        const auto* checked = std::get_if<backend::Committed>(&expected[i].result);
        ASSERT_TRUE(committed && checked)
            << "results " << outcomes[i].result.index() << " and " << expected[i].result.index();
        EXPECT_EQ(committed->revision, checked->revision);
    }
}

void EngineHarness::fail(ErrorCode code, std::size_t index)
{
    ASSERT_LT(index, pending.size());
    const backend::TransactionId id = pending[index].transaction.id;
    pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(index));
    std::vector<backend::Outcome> outcomes;
    outcomes.push_back({id, backend::Failed{Error{code, "the test says so"}}});
    _engine->outcomes(std::move(outcomes), now);
    settle();
}

void EngineHarness::forget()
{
    EXPECT_TRUE(_restarted || _events == _store.journal())
        << "what was published is what was committed";
    _restarted = false;
    _replies.clear();
    _events.clear();
    _store.forgetJournal();
}

void EngineHarness::commitUnheard(std::size_t index)
{
    ASSERT_LT(index, pending.size());
    _store.commit(std::move(pending[index].transaction), pending[index].decided);
    pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(index));
}

} // namespace octostore::coordination::test
