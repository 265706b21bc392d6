// SPDX-License-Identifier: MIT
/// @file
/// How a lease record begins, moves on and ends, with the event that says so.
#pragma once

#include "coordination/Rules.h"

#include <optional>
#include <string>

namespace octostore::coordination
{

/// `state` with `lease` in place of its lease, and the transaction that makes it so: it conditions
/// on the lease record, and on the session of an ephemeral lease. The reply is for the caller.
Write put(const Subject& subject, const NameState& state, backend::LeaseRecord lease);

/// A condition on a record that was read: at its version, or absent.
backend::Condition conditionOn(backend::Collection collection, const std::string& name,
                               Revision version);

/// An ephemeral lease was judged by its session: that must still be there, or be gone for good.
void conditionOnSession(Write& write, const NameState& state);

/// now + ttl, on both clocks.
backend::Deadline deadlineAfter(Now now, Milliseconds ttl, const SharedText& clock);

/// A fresh lease on `state`, whose last lease must be over and recorded as over, or never was.
/// `session` is that of an ephemeral lease.
Write grant(const Subject& subject, const NameState& state, backend::LeaseRecord fresh,
            const SessionState* session, Now now);

/// The end of the lease in `state`: cooling if it has a lock delay (an undelivered grant starts
/// none), else vacant.
Write end(const Subject& subject, const NameState& state, SessionEnd how, const Limits& limits,
          const std::string& reason = {});

/// Adds the first access list of a name, or its replacement (null: none any more), to `write`.
void putAcl(Write& write, const Subject& subject, const NameState& state,
            std::shared_ptr<const backend::AclRecord> acl);

/// What the journal says about `subject`, without what changed.
event::Draft draftOf(const Subject& subject, event::ResourceKind kind, event::Type type,
                     WallTime time);

} // namespace octostore::coordination
