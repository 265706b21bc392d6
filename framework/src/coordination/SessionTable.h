// SPDX-License-Identifier: MIT
/// @file
/// The sessions the engine knows: the open ones, and those that ended not long ago.
#pragma once

#include "coordination/NameTable.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

namespace octostore::coordination
{

/// The same order in every run, whatever the addresses are.
struct ByKey
{
    bool operator()(const Name* a, const Name* b) const { return *a->key < *b->key; }
};

/// One session. Its address is stable; a lease that refers to it is among `names`.
struct Session
{
    SessionState state;
    bool known = false; ///< its opening is committed
    bool busy = false;  ///< a transaction is in flight
    bool held = false;  ///< as of a name
    std::deque<Pending> pending;
    std::set<Name*, ByKey> names; ///< held locks tagged with it
    std::set<Ticket> waiting;     ///< waiters that named it
    std::size_t inFlight = 0;     ///< transactions about names that refer to it
    BootTime scheduled = BootTime::max();
    std::uint32_t entries = 0;

    bool idle() const noexcept
    {
        return !busy && !held && pending.empty() && names.empty() && waiting.empty() &&
               inFlight == 0 && entries == 0;
    }
};

/// Thread-safety: thread-compatible.
class SessionTable
{
public:
    /// How many ended sessions are remembered, so that repeats can be told from mistakes.
    static constexpr std::size_t endedMax = 10'000;

    Session* find(SessionId id)
    {
        const auto found = _sessions.find(id);
        return found == _sessions.end() ? nullptr : &found->second;
    }
    Session& get(SessionId id)
    {
        Session& session = _sessions[id];
        session.state.id = id;
        return session;
    }
    /// Null unless its opening is committed.
    const SessionState* stateOf(SessionId id)
    {
        const Session* session = find(id);
        return session && session->known ? &session->state : nullptr;
    }
    /// Nobody opened it after all.
    void drop(Session& session)
    {
        if (!session.known && session.idle())
            _sessions.erase(session.state.id);
    }
    /// Remembers that `session` ended; forgets what ended long ago, but never `session` itself.
    void ended(Session& session)
    {
        // Two looks an end: the surplus melts away, and many ends at once cost no more each.
        for (int looks = 2; _ended.size() >= endedMax && looks > 0; --looks)
        {
            const SessionId oldest = _ended.front();
            _ended.pop_front();
            const auto found = _sessions.find(oldest);
            if (found->second.idle())
                _sessions.erase(found);
            else
                _ended.push_back(oldest);
        }
        _ended.push_back(session.state.id);
    }

    /// The first session that is not before `id`.
    std::map<SessionId, Session>::const_iterator from(SessionId id) const
    {
        return _sessions.lower_bound(id);
    }
    std::map<SessionId, Session>::const_iterator end() const { return _sessions.end(); }

    std::size_t openOf(PrincipalId principal) const
    {
        const auto found = _open.find(principal);
        return found == _open.end() ? 0 : found->second;
    }
    std::size_t open() const noexcept { return _openSum; }
    void opened(PrincipalId principal)
    {
        ++_open[principal];
        ++_openSum;
    }
    void closed(PrincipalId principal)
    {
        const auto found = _open.find(principal);
        OCTOSTORE_ASSERT(found != _open.end());
        if (--found->second == 0)
            _open.erase(found);
        --_openSum;
    }

private:
    std::map<SessionId, Session> _sessions; ///< ordered, so that a walk over it can be interrupted
    std::deque<SessionId> _ended;
    std::unordered_map<PrincipalId, std::size_t> _open; ///< openings in flight included
    std::size_t _openSum = 0;
};

} // namespace octostore::coordination
