// SPDX-License-Identifier: MIT
/// @file
/// Who waits until it is known what other servers have changed.
#pragma once

#include "coordination/NameTable.h"
#include "coordination/SessionTable.h"

#include <octostore/backend/Backend.h>
#include <octostore/base/Api.h>

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace octostore::coordination
{

/// The syncs of a shared store: they are numbered from 1, and one runs at a time. Whoever came
/// while one ran needs the next, since the running one may not have seen what was there by then. A
/// name or session is `held` exactly while it is here, so neither is forgotten meanwhile.
/// Thread-safety: thread-affine(engine).
class OCTOSTORE_API Syncs
{
public:
    /// The first that is begun from now on: what happened by now is known once it is done.
    std::uint64_t next() const noexcept { return _begun + 1; }
    /// What had happened when `sync` was to be begun is known.
    bool covers(std::uint64_t sync) const noexcept { return sync <= _done; }

    /// The sync that is to be asked of the backend; nothing: one runs already.
    std::optional<backend::ReadId> begin();
    /// The running one ended; `caughtUp`: everything up to it is known.
    void ended(backend::ReadId sync, bool caughtUp);

    /// To be looked at again after `pending.sync`.
    void defer(Pending pending);
    /// All of them, in order of arrival; those whose sync is not over are to be deferred again.
    std::deque<Pending> takeDeferred();

    /// Nothing is decided about it before `sync`, nor before one it was held for already.
    void hold(Name& name, std::uint64_t sync);
    void hold(Session& session, std::uint64_t sync);
    /// Those held for `sync` or an earlier one.
    std::vector<Name*> namesHeldFor(std::uint64_t sync) const;
    std::vector<SessionId> sessionsHeldFor(std::uint64_t sync) const;
    void release(Name& name);
    void release(Session& session);

    /// Somebody waits for a sync.
    bool wanted() const noexcept
    {
        return !_deferred.empty() || !_names.empty() || !_sessions.empty();
    }

private:
    std::uint64_t _begun = 0;
    std::uint64_t _done = 0;
    bool _running = false;
    std::deque<Pending> _deferred; ///< in order of arrival
    std::map<Name*, std::uint64_t, ByKey> _names;
    std::map<SessionId, std::uint64_t> _sessions;
};

} // namespace octostore::coordination
