// SPDX-License-Identifier: MIT
/// @file
/// What a backend is asked to do, and what it reports.
#pragma once

#include <octostore/backend/Record.h>
#include <octostore/base/ClassQueue.h>
#include <octostore/base/Result.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace octostore::backend
{

using TransactionId = Number<struct TransactionTag>;

struct Condition
{
    enum class Kind : std::uint8_t
    {
        Absent,    ///< no record
        AtVersion, ///< a record, last written at `version`
        Present,   ///< a record
    };
    Key key;
    Kind kind = Kind::Absent;
    Revision version;
};

struct Put
{
    Key key;
    Value value;
};

constexpr std::size_t transactionOperationsMax = 16;

/// All or nothing. At most 16 operations (conditions, puts and erasures together); everything but
/// meta and principals touches one name.
struct Transaction
{
    TransactionId id; ///< chosen by the caller, unique while the process lives
    Priority priority = Priority::Acquire;
    std::vector<Condition> conditions;
    std::vector<Put> puts; ///< a LeaseRecord with term 0 gets the revision of this commit
    std::vector<Key> erasures;
    /// Its sequence is the revision of this commit; a Holding with term 0 gets it too.
    std::optional<event::Draft> event;
};

/// Whether a backend may be asked to do it: at most 16 operations, and every value of its key's
/// collection. Backends answer any other transaction with Unavailable.
inline bool isWellFormed(const Transaction& transaction) noexcept
{
    const auto fits = [](const Put& put)
    { return put.value.index() == static_cast<std::size_t>(put.key.collection); };
    return transaction.conditions.size() + transaction.puts.size() + transaction.erasures.size() <=
               transactionOperationsMax &&
           std::all_of(transaction.puts.begin(), transaction.puts.end(), fits);
}

/// Durable. The revision is the version of every put, the term of a grant in it, the sequence of
/// its event.
struct Committed
{
    Revision revision;
};

/// A condition did not hold and nothing was changed. `current`: the present record of each
/// condition that failed (monostate where there is none), so that no second read is needed.
struct Conflict
{
    std::vector<Record> current;
};

/// Unavailable: certainly nothing changed. OutcomeUnknown: it may have, now or later.
struct Failed
{
    Error error;
};

struct Outcome
{
    TransactionId id;
    std::variant<Committed, Conflict, Failed> result;
};

} // namespace octostore::backend
