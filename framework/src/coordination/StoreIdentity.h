// SPDX-License-Identifier: MIT
/// @file
/// What a store says about itself: which store it is, and since when its clock has been this one.
#pragma once

#include "coordination/Mailbox.h"

#include <octostore/backend/Backend.h>
#include <octostore/base/Random.h>
#include <octostore/base/Result.h>
#include <octostore/base/Time.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace octostore::coordination
{

/// Reads meta/incarnation and meta/clock while the store is loaded, then writes what is missing
/// before anybody is served. Thread-safety: thread-compatible.
class StoreIdentity
{
public:
    void take(const backend::Record& record);

    /// Returns since when the boot clock of this server has been what it is: leases written with
    /// another clock get their full time from then on. One row, written once, so that a crash loop
    /// does not start it anew. On a shared store no clock is compared, and none is written. Blocks
    /// until the store has committed; `mailbox` is taken from. Errors: Unavailable; the server does
    /// not start.
    Result<BootTime> settle(backend::Backend& backend, Mailbox& mailbox, Random& random,
                            const std::string& clock, Now now);

    /// The incarnation, if settle() had to write or met one; it is not among what was loaded.
    const std::optional<backend::Record>& fresh() const noexcept { return _fresh; }
    /// The version of meta/incarnation; after settle().
    Revision incarnation() const noexcept { return _incarnation; }
    /// What the feed said meanwhile; once.
    std::vector<Mailbox::Feed> takeChanges() { return std::exchange(_changes, {}); }

private:
    Result<void> await(Mailbox& mailbox, std::size_t count);

    bool _hasIncarnation = false;
    std::optional<backend::Record> _fresh;
    Revision _incarnation;
    std::vector<Mailbox::Feed> _changes;
    std::string _clock;
    BootTime _recoveredAt;
};

} // namespace octostore::coordination
