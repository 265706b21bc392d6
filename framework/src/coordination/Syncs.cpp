// SPDX-License-Identifier: MIT
#include "coordination/Syncs.h"

#include <octostore/base/Assert.h>

#include <algorithm>
#include <utility>

namespace octostore::coordination
{

namespace
{

/// The keys of those in `held` that need no later sync than `sync`.
template <class Held>
auto heldFor(const Held& held, std::uint64_t sync)
{
    std::vector<typename Held::key_type> found;
    for (const auto& [key, needed] : held)
        if (needed <= sync)
            found.push_back(key);
    return found;
}

} // namespace

std::optional<backend::ReadId> Syncs::begin()
{
    if (std::exchange(_running, true))
        return std::nullopt;
    return backend::ReadId(++_begun);
}

void Syncs::ended(backend::ReadId sync, bool caughtUp)
{
    OCTOSTORE_ASSERT(_running && sync.value() == _begun);
    _running = false;
    if (caughtUp)
        _done = sync.value();
}

void Syncs::defer(Pending pending)
{
    _deferred.push_back(std::move(pending));
}

std::deque<Pending> Syncs::takeDeferred()
{
    return std::exchange(_deferred, {});
}

void Syncs::hold(Name& name, std::uint64_t sync)
{
    name.act().held = true;
    auto& needed = _names[&name];
    needed = std::max(needed, sync);
}

void Syncs::hold(Session& session, std::uint64_t sync)
{
    session.held = true;
    auto& needed = _sessions[session.state.id];
    needed = std::max(needed, sync);
}

std::vector<Name*> Syncs::namesHeldFor(std::uint64_t sync) const
{
    return heldFor(_names, sync);
}

std::vector<SessionId> Syncs::sessionsHeldFor(std::uint64_t sync) const
{
    return heldFor(_sessions, sync);
}

void Syncs::release(Name& name)
{
    _names.erase(&name);
    name.activity->held = false;
}

void Syncs::release(Session& session)
{
    _sessions.erase(session.state.id);
    session.held = false;
}

} // namespace octostore::coordination
