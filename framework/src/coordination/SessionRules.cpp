// SPDX-License-Identifier: MIT
#include "coordination/SessionRules.h"

#include "coordination/Transition.h"

namespace octostore::coordination
{

namespace
{

using backend::Condition;
using event::Cause;
using event::Type;

backend::Key keyOf(SessionId id)
{
    return {backend::Collection::Session, id.toString()};
}

event::Draft draftOf(const SessionSubject& subject, SessionId id, Type type, WallTime time)
{
    event::Draft draft;
    draft.type = type;
    draft.facts = {type};
    draft.time = time;
    draft.kind = event::ResourceKind::Session;
    draft.name = id.toString();
    draft.actor = subject.actor;
    draft.request = subject.request;
    return draft;
}

class SessionDecider
{
public:
    SessionDecider(const SessionSubject& subject, const SessionState* state, std::size_t open,
                   const Limits& limits, Now now)
        : _subject(subject), _state(state), _open(open), _limits(limits), _now(now)
    {
    }

    SessionDecision operator()(const OpenSession& command) const
    {
        if (_open >= _limits.sessionsPerPrincipalMax)
            return Answer{Refused{{ErrorCode::CapacityExceeded,
                                   "You have as many sessions as one account may; close some."},
                                  std::nullopt,
                                  30}};
        SessionWrite write;
        write.after.principal = command.principal;
        write.after.label = command.label;
        write.after.ttl = command.ttl;
        write.after.deadline = deadlineAfter(_now, command.ttl, _limits.clock);
        write.transaction.conditions.push_back(
            {keyOf(command.fresh), Condition::Kind::Absent, Revision()});
        write.transaction.puts.push_back({keyOf(command.fresh), write.after});
        event::Draft draft = draftOf(_subject, command.fresh, Type::SessionCreated, _now.wall);
        draft.current = event::Holding{command.label, Term(), write.after.deadline.wall};
        write.transaction.event = std::move(draft);
        write.reply = viewOf(SessionState{command.fresh, write.after, {}, {}}, _now.boot);
        return write;
    }

    SessionDecision operator()(const KeepAlive& command) const
    {
        if (auto refusal = sessionRefusal(_state, command.principal, _now.boot))
            return Answer{Refused{*refusal, std::nullopt, std::nullopt}};
        SessionWrite write;
        write.after = _state->record;
        write.after.deadline = deadlineAfter(_now, write.after.ttl, _limits.clock);
        write.transaction.conditions.push_back(
            {keyOf(_state->id), Condition::Kind::AtVersion, _state->version});
        write.transaction.puts.push_back({keyOf(_state->id), write.after});
        write.reply = viewOf(SessionState{_state->id, write.after, {}, {}}, _now.boot);
        return write;
    }

    SessionDecision operator()(const CloseSession& command) const
    {
        if (!_state || (!command.admin && _state->record.principal != command.principal))
            return Answer{Refused{{ErrorCode::NotFound, "You have no such session."}, {}, {}}};
        if (_state->ended)
            return Answer{SessionEnded{}};
        if (!_state->liveAt(_now.boot)) // over by rule, and about to be recorded
            return ended(Cause::SessionExpired, deadline(), {});
        const Cause cause = command.admin ? Cause::ForceReleased : Cause::SessionClosed;
        return ended(cause, _now, command.reason);
    }

    SessionDecision operator()(const EndOfSession&) const
    {
        if (!_state || _state->ended || _state->liveAt(_now.boot))
            return Answer{Refused{{ErrorCode::Conflict, "The session is not over."}, {}, {}}};
        return ended(Cause::SessionExpired, deadline(), {});
    }

private:
    Now deadline() const { return {_state->record.deadline.boot, _state->record.deadline.wall}; }

    SessionWrite ended(Cause cause, Now at, const std::string& reason) const
    {
        SessionWrite write;
        write.after = _state->record;
        write.ended = SessionEnd{at, cause};
        write.transaction.conditions.push_back(
            {keyOf(_state->id), Condition::Kind::AtVersion, _state->version});
        write.transaction.erasures.push_back(keyOf(_state->id));
        const Type type =
            cause == Cause::SessionExpired ? Type::SessionExpired : Type::SessionClosed;
        event::Draft draft = draftOf(_subject, _state->id, type, at.wall);
        draft.cause = cause;
        draft.reason = reason;
        draft.previous = event::Holding{_state->record.label, Term(), _state->record.deadline.wall};
        write.transaction.event = std::move(draft);
        write.reply = SessionEnded{};
        return write;
    }

    const SessionSubject& _subject;
    const SessionState* _state;
    const std::size_t _open;
    const Limits& _limits;
    const Now _now;
};

} // namespace

SessionDecision decideSession(const SessionSubject& subject, const SessionState* state,
                              std::size_t open, const Limits& limits, const SessionCommand& command,
                              Now now)
{
    return std::visit(SessionDecider(subject, state, open, limits, now), command);
}

std::optional<Error> sessionRefusal(const SessionState* state, PrincipalId principal, BootTime now)
{
    if (!state || state->record.principal != principal)
        return Error{ErrorCode::NotFound, "You have no such session; open one."};
    if (state->liveAt(now))
        return std::nullopt;
    if (state->ended && state->ended->cause != Cause::SessionExpired)
        return Error{ErrorCode::NotFound, "The session was closed; open a new one."};
    return Error{ErrorCode::SessionExpired, "The session ran out; open a new one."};
}

SessionView viewOf(const SessionState& state, BootTime now)
{
    return {state.id,
            state.record.principal,
            state.record.ttl,
            certainUntil(state.record.deadline, state.record.ttl),
            state.record.deadline.wall,
            0,
            state.liveAt(now)};
}

} // namespace octostore::coordination
