// SPDX-License-Identifier: MIT
/// @file
/// How a lease record begins, moves on and ends, with the event that says so.
#pragma once

#include "coordination/Rules.h"

#include <optional>
#include <string>

namespace octostore::coordination
{

/// A transaction that conditions on `state` and puts `after` under the subject's name.
backend::Transaction transactionOn(const Subject& subject, const NameState& state,
                                   const backend::LeaseRecord& after);

/// now + ttl, on both clocks.
backend::Deadline deadlineAfter(Now now, Milliseconds ttl, const std::string& clock);

/// A fresh lease on `state`, whose last lease must be over and recorded as over, or never was.
Write grant(const Subject& subject, const NameState& state, backend::LeaseRecord fresh, Now now,
            Reply reply);

/// The same lease with a new deadline. Not an event.
Write extend(const Subject& subject, const NameState& state, backend::LeaseRecord extended,
             Reply reply);

/// The end of the lease in `state` at `at`: cooling if it has a lock delay (an undelivered grant
/// starts none), else vacant.
Write end(const Subject& subject, const NameState& state, event::Cause cause, Now at,
          const Limits& limits);

} // namespace octostore::coordination
