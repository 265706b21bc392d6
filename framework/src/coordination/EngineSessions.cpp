// SPDX-License-Identifier: MIT
#include "coordination/EngineState.h"

#include <algorithm>
#include <utility>

namespace octostore::coordination
{

namespace
{

template <class... Cases>
struct Overloaded : Cases...
{
    using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

SessionId idOf(const SessionCommand& command)
{
    return std::visit(Overloaded{[](const OpenSession& open) { return open.fresh; },
                                 [](const auto& other) { return other.session; }},
                      command);
}

} // namespace

void Engine::State::restoreSession(backend::Record record, BootTime recoveredAt, Now now)
{
    const auto id = Uuid::parse(record.key.name);
    auto* stored = std::get_if<backend::SessionRecord>(&record.value);
    if (!id || !stored)
        return;
    adoptDeadline(stored->deadline, stored->ttl, recoveredAt, now);
    Session& session = _sessions.get(SessionId{*id});
    session.known = true;
    session.state.record = std::move(*stored);
    session.state.version = record.version;
    _sessions.opened(session.state.record.principal);
    settleSession(session, now);
}

void Engine::State::submitSession(Pending pending, Now now)
{
    const SessionId id = idOf(std::get<SessionCommand>(pending.request.operation));
    Session& session = _sessions.get(id);
    session.pending.push_back(std::move(pending));
    settleSession(session, now);
}

void Engine::State::executeSession(Session& session, Pending pending, Now now)
{
    if (refuseIfLost(pending))
        return;
    const auto& command = std::get<SessionCommand>(pending.request.operation);
    const auto* open = std::get_if<OpenSession>(&command);
    SessionDecision decision = decideSession(
        {pending.request.actor, pending.request.id}, session.known ? &session.state : nullptr,
        open ? _sessions.openOf(open->principal) : 0, _limits, command, now);
    if (auto* told = std::get_if<Answer>(&decision))
    {
        if (!mayTell(pending))
            defer(std::move(pending));
        else
            reply(pending.ticket, std::move(told->reply));
        return;
    }
    auto& write = std::get<SessionWrite>(decision);
    if (open)
        _sessions.opened(open->principal);
    InFlight work;
    work.work = Work::Session;
    work.session = &session;
    work.base = session.state.version;
    work.sessionAfter = std::move(write.after);
    work.sessionEnd = write.ended;
    work.reply = std::move(write.reply);
    const Priority priority = priorityOf(pending.request);
    work.asked = std::move(pending);
    session.busy = true;
    if (_sharing && open)
        conditionOnBarrier(write.transaction);
    send(std::move(work), std::move(write.transaction), priority);
}

void Engine::State::settleSession(Session& session, Now now)
{
    while (!session.busy && !session.held && !session.pending.empty())
    {
        Pending next = std::move(session.pending.front());
        session.pending.pop_front();
        executeSession(session, std::move(next), now);
    }
    if (session.known && !session.busy && !session.held && !session.state.ended)
        _sessionDeadlines.schedule(session, std::max(session.state.record.deadline.boot, _retryAt));
    _sessions.drop(session);
}

void Engine::State::sessionApplied(InFlight work, const backend::Committed& commit, Now now)
{
    Session& session = *work.session;
    publish(work, commit.revision);
    session.known = true;
    const bool ends = work.sessionEnd && !session.state.ended; // the feed may have said so already
    if (!session.state.ended && (ends || commit.revision >= session.state.version))
    {
        session.state.record = std::move(work.sessionAfter);
        session.state.version = commit.revision;
        session.state.ended = work.sessionEnd;
    }
    if (const auto* view = std::get_if<SessionView>(&work.reply);
        view && now.boot >= view->deadline)
        refuse(work.asked.ticket, ErrorCode::OutcomeUnknown,
               "The session ran out before its commit was done; read before acting.");
    else
        reply(work.asked.ticket, std::move(work.reply));
    if (ends)
        sessionEnded(session, now);
    else
    {
        // Names whose lease seemed over with the session may go on.
        const std::vector<Name*> names(session.names.begin(), session.names.end());
        for (Name* name : names)
            settle(*name, now);
    }
    settleSession(session, now);
}

/// Its locks are over by rule in this instant; each name is finished by its own transaction, names
/// with waiters first. Its waiters are told.
void Engine::State::sessionEnded(Session& session, Now now)
{
    _sessions.closed(session.state.record.principal);
    const auto refusal = sessionRefusal(&session.state, session.state.record.principal, now.boot);
    // Settling a name may answer others of them.
    while (!session.waiting.empty())
    {
        const Ticket ticket = *session.waiting.begin();
        const Open open = _open.at(ticket);
        remove(*open.name, open.place);
        reply(ticket, Refused{*refusal, std::nullopt, std::nullopt});
        settle(*open.name, now);
    }
    const std::vector<Name*> names(session.names.begin(), session.names.end());
    for (Name* name : names)
        settle(*name, now);
    _sessions.ended(session);
}

void Engine::State::sessionFailed(InFlight work, const Error& error, Now now)
{
    Session& session = *work.session;
    const auto& command = std::get<SessionCommand>(work.asked.request.operation);
    if (const auto* open = std::get_if<OpenSession>(&command); open && !session.known)
        _sessions.closed(open->principal);
    if (error.code == ErrorCode::OutcomeUnknown && !_sharing)
        session.busy = true; // nobody knows its state any more
    reply(work.asked.ticket, Refused{error, std::nullopt, std::nullopt});
    const std::vector<Name*> names(session.names.begin(), session.names.end());
    for (Name* name : names)
    {
        // What cannot go on before the session's end is recorded is told that nothing can be.
        if (name->waitsForSession(now.boot) && !name->busy() && name->activity)
            for (const Pending& pending : std::exchange(name->activity->pending, {}))
                reply(pending.ticket, Refused{error, std::nullopt, std::nullopt});
        settle(*name, now);
    }
    settleSession(session, now);
}

/// True: more sessions are over than were looked at.
bool Engine::State::advanceSessions(Now now, std::size_t most)
{
    for (; most > 0; --most)
    {
        Session* session = _sessionDeadlines.takeDue(now.boot);
        if (!session)
            return false;
        const bool over = session->known && !session->state.ended &&
                          !session->state.liveAt(now.boot) && now.boot >= _retryAt;
        if (over && !session->busy && !session->held)
        {
            Pending own;
            own.request.operation = SessionCommand(EndOfSession{session->state.id});
            own.request.arrived = now.boot;
            executeSession(*session, std::move(own), now);
        }
        settleSession(*session, now);
    }
    return true;
}

/// The lease that was just committed or restored counts for its session.
void Engine::State::join(Name& name)
{
    const auto& lease = name.state.lease;
    if (!isHeld(name.state) || lease->session.isNil())
        return;
    Session& session = _sessions.get(lease->session);
    session.names.insert(&name);
    if (lease->ephemeral)
        name.state.session = &session.state;
}

void Engine::State::leaveSession(Name& name)
{
    const auto& lease = name.state.lease;
    if (!isHeld(name.state) || lease->session.isNil())
        return;
    Session* session = _sessions.find(lease->session);
    OCTOSTORE_ASSERT(session);
    session->names.erase(&name);
    _sessions.drop(*session);
}

/// The session an acquire names; null when it names none or none is known by that id.
Session* Engine::State::sessionOf(const Command& command)
{
    const auto* acquire = std::get_if<Acquire>(&command);
    if (!acquire || acquire->session.isNil())
        return nullptr;
    return _sessions.find(acquire->session);
}

} // namespace octostore::coordination
