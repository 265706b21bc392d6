// SPDX-License-Identifier: MIT
#include "coordination/EngineState.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace octostore::coordination
{

namespace
{

/// How long a place is kept for a waiter whose wait ran out or whose connection broke.
constexpr std::chrono::seconds placeKeptFor{5};
/// Walking over so many places takes about as long as answering a wait.
constexpr std::size_t placesWalkedAsOne = 64;

void setPosition(Reply& reply, std::size_t position)
{
    if (auto* held = std::get_if<Held>(&reply))
        held->queuePosition = position;
    else if (auto* delayed = std::get_if<Delayed>(&reply))
        delayed->queuePosition = position;
}

} // namespace

/// A lock's waiters are known by their holder; a candidate only by its key.
std::string Engine::State::identityOf(const Command& command)
{
    if (const auto* acquire = std::get_if<Acquire>(&command))
    {
        const auto& bytes = acquire->holder.uuid.bytes;
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    const auto* campaign = std::get_if<Campaign>(&command);
    if (!campaign || campaign->candidateKey.empty())
        return {};
    return campaign->candidate + '\0' + campaign->candidateKey;
}

Engine::State::QueueFigures& Engine::State::queuesOf(const Waiter& waiter)
{
    const Command& command = std::get<Command>(waiter.request.operation);
    return std::holds_alternative<Campaign>(command) ? _roomQueues : _lockQueues;
}

/// Joins the queue, or takes the place it left; without wait it is told `ifNot`.
void Engine::State::wait(Name& name, Pending pending, Reply ifNot)
{
    if (pending.request.wait.count() <= 0)
    {
        reply(pending.ticket, std::move(ifNot));
        return;
    }
    if (_draining)
    {
        refuse(pending.ticket, ErrorCode::Draining, "The server is stopping; ask again.");
        return;
    }
    Activity& activity = name.act();
    Waiter waiter;
    waiter.ticket = pending.ticket;
    waiter.identity = identityOf(std::get<Command>(pending.request.operation));
    waiter.until = pending.request.arrived + pending.request.wait;
    waiter.sync = pending.sync;
    waiter.request = std::move(pending.request);

    auto place = activity.waiters.end();
    if (activity.identities.count(waiter.identity) > 0)
        place = std::find_if(activity.waiters.begin(), activity.waiters.end(),
                             [&](const Waiter& kept)
                             {
                                 return !kept.present() && kept.identity == waiter.identity &&
                                        kept.until > waiter.request.arrived;
                             });
    if (place != activity.waiters.end())
    {
        _waitTimers.clear(*place);
        *place = std::move(waiter);
    }
    else if (activity.waiters.size() >= _limits.waitersPerNameMax)
    {
        reply(waiter.ticket, Refused{{ErrorCode::CapacityExceeded, "Too many wait for this name."},
                                     std::nullopt,
                                     1});
        return;
    }
    else
        place = enqueue(activity, std::move(waiter), pending.stoodInFront);
    seat(name, place);
}

Queue::iterator Engine::State::enqueue(Activity& activity, Waiter waiter, bool inFront)
{
    // A waiter that goes back to the front was counted when it first came.
    if (!inFront)
        queuesOf(waiter).joined.observe(static_cast<double>(activity.waiters.size()));
    if (!waiter.identity.empty())
        ++activity.identities[waiter.identity];
    return activity.waiters.insert(inFront ? activity.waiters.begin() : activity.waiters.end(),
                                   std::move(waiter));
}

/// `place` is present from now on, unless its caller has gone meanwhile.
void Engine::State::seat(Name& name, Queue::iterator place)
{
    ++name.activity->present;
    ++queuesOf(*place).present;
    _waitTimers.set(name, place);
    Open& open = _open[place->ticket];
    open.name = &name;
    open.place = place;
    if (Session* session = sessionOf(std::get<Command>(place->request.operation)))
        session->waiting.insert(place->ticket);
    if (const auto since = open.abandonedAt)
    {
        const Ticket ticket = place->ticket;
        leave(name, place, *since);
        _open.erase(ticket);
    }
}

/// The session no longer has to tell the waiter when it ends.
void Engine::State::stopWaiting(const Waiter& waiter)
{
    if (Session* session = sessionOf(std::get<Command>(waiter.request.operation)))
        session->waiting.erase(waiter.ticket);
}

/// Takes a place out of the queue; it can be put back.
Queue Engine::State::remove(Name& name, Queue::iterator place)
{
    Activity& activity = *name.activity;
    _listings.stepOver(name, place);
    _waitTimers.clear(*place);
    if (place->present())
    {
        --activity.present;
        --queuesOf(*place).present;
        if (const auto open = _open.find(place->ticket); open != _open.end())
            open->second.name = nullptr;
        stopWaiting(*place);
    }
    if (std::exchange(place->overdue, false))
        --activity.overdue;
    if (!place->identity.empty())
    {
        const auto known = activity.identities.find(place->identity);
        if (--known->second == 0)
            activity.identities.erase(known);
    }
    Queue removed;
    removed.splice(removed.end(), activity.waiters, place);
    return removed;
}

/// The grant was not committed: its waiter is the head again.
void Engine::State::putBack(Name& name, Queue served, Now now)
{
    Activity& activity = name.act();
    const auto place = served.begin();
    const Session* session = sessionOf(std::get<Command>(place->request.operation));
    if (session && session->state.ended)
    {
        // It ended while the grant was under way, and told only those who stood in a queue.
        const PrincipalId owner = session->state.record.principal;
        reply(place->ticket, Refused{*sessionRefusal(&session->state, owner, now.boot), {}, {}});
        return;
    }
    activity.waiters.splice(activity.waiters.begin(), served);
    if (!place->identity.empty())
        ++activity.identities[place->identity];
    seat(name, place);
}

/// The other waiters of the holder that was just granted to get the same lease; if it is over
/// before they do, they are the first of those who wait.
void Engine::State::joinHolder(Name& name, const std::string& identity)
{
    if (identity.empty() || !name.activity || name.activity->identities.count(identity) == 0)
        return;
    Queue same;
    Queue& waiters = name.activity->waiters;
    for (auto next = waiters.begin(); next != waiters.end();)
    {
        const auto place = next++;
        if (place->present() && place->identity == identity)
            same.splice(same.end(), remove(name, place));
    }
    for (; !same.empty(); same.pop_back())
        name.activity->pending.push_front(
            {same.back().ticket, std::move(same.back().request), 0, true, same.back().sync});
}

/// The caller has gone or was answered; the place is kept for a while for whoever can claim it.
void Engine::State::leave(Name& name, Queue::iterator place, BootTime since)
{
    if (place->identity.empty())
    {
        remove(name, place);
        return;
    }
    _waitTimers.clear(*place);
    if (std::exchange(place->overdue, false))
        --name.activity->overdue;
    stopWaiting(*place);
    place->ticket = Ticket(0);
    --name.activity->present;
    --queuesOf(*place).present;
    place->until = since + placeKeptFor;
    _waitTimers.set(name, place);
}

/// A wait or the keeping of a place ran out. How many places were walked over.
std::size_t Engine::State::waitIsOver(Name& name, Queue::iterator place, Now now)
{
    if (place->present())
    {
        // What is over by now is acted upon first: it may be this waiter's turn.
        const Ticket ticket = place->ticket;
        act(name, now);
        const auto open = _open.find(ticket);
        if (open == _open.end() || open->second.name == nullptr)
            return 0; // served, or told
    }
    std::size_t walked = 0;
    _waitTimers.clear(*place);
    if (!place->present())
        remove(name, place);
    else if (!mayExecute(name, now) || !mayTell(*place))
    {
        // What it is told depends on what is being committed.
        place->overdue = true;
        ++name.activity->overdue;
        if (!mayTell(*place))
            hold(name, place->sync);
    }
    else
        walked = answerWaiter(name, place, now);
    settle(name, now);
    return walked;
}

/// Exactly the answer it would have got without waiting, and its position, which is returned.
std::size_t Engine::State::answerWaiter(Name& name, Queue::iterator place, Now now)
{
    const Command& command = std::get<Command>(place->request.operation);
    Decision decision = decide({place->request.name, place->request.actor, place->request.id},
                               name.state, scopeOf(command), _limits, command, now);
    Reply told = Refused{
        {ErrorCode::Unavailable, "Nothing could be committed; ask again."}, std::nullopt, {}};
    auto* waiting = std::get_if<Wait>(&decision);
    auto* refusal = std::get_if<Answer>(&decision);
    if (waiting && !_storeLost)
        told = std::move(waiting->reply);
    else if (refusal && !_storeLost)
        told = std::move(refusal->reply);
    const auto position =
        static_cast<std::size_t>(std::distance(name.activity->waiters.begin(), place));
    setPosition(told, position);
    const Ticket ticket = place->ticket;
    leave(name, place, now.boot);
    reply(ticket, std::move(told));
    return position;
}

/// The waiter would be granted the name if it were its turn.
bool Engine::State::isFreeFor(const Name& name, const Waiter& waiter, Now now)
{
    const Command& command = std::get<Command>(waiter.request.operation);
    return std::holds_alternative<Write>(
        decide({waiter.request.name, waiter.request.actor, waiter.request.id}, name.state,
               scopeOf(command), _limits, command, now));
}

void Engine::State::answerOverdue(Name& name, Now now)
{
    Queue& waiters = name.activity->waiters;
    for (auto next = waiters.begin(); next != waiters.end() && name.activity->overdue > 0;)
    {
        const auto place = next++;
        if (!place->overdue)
            continue;
        if (!mayTell(*place))
        {
            hold(name, place->sync);
            return;
        }
        if (now.boot >= _retryAt && isFreeFor(name, *place, now))
        {
            // It waits once more, for what is done about the name in this instant.
            place->overdue = false;
            --name.activity->overdue;
            _waitTimers.set(name, place);
        }
        else
            answerWaiter(name, place, now);
    }
}

/// True: more waits are over than were looked at. Those far behind count for more, since their
/// position is found by walking: thousands that wait for one name may end together.
bool Engine::State::advanceWaits(Now now, std::size_t most)
{
    std::size_t done = 0;
    while (const auto end = _waitTimers.due(now.boot))
    {
        if (done >= most)
            return true;
        done += 1 + waitIsOver(*end->name, end->place, now) / placesWalkedAsOne;
    }
    return false;
}

} // namespace octostore::coordination
