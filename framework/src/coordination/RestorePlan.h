// SPDX-License-Identifier: MIT
/// @file
/// What a restored store has to know, and what is read of it when it is loaded.
#pragma once

#include <octostore/backend/Backend.h>
#include <octostore/base/Api.h>
#include <octostore/base/Id.h>
#include <octostore/base/Time.h>

#include <optional>
#include <string>

namespace octostore::coordination
{

/// No lease may be asked for that lasts longer.
constexpr std::chrono::hours leaseTtlMax{1};

/// Completes `order`: a new incarnation, revisions 2^40 further on, and no grants for `wait` from
/// `now` on, on the boot clock called `clock`.
OCTOSTORE_API void planRestore(backend::RestoreOrder& order, Uuid incarnation,
                               const std::string& clock, Now now, Milliseconds wait);

/// What planRestore() left in a store. Thread-safety: thread-compatible.
class OCTOSTORE_API RestoreMark
{
public:
    /// Looks whether `record` is the mark.
    void take(const backend::Record& record);

    /// The last revision of the restored store; every record up to it is from before, every event
    /// up to it is history that has a hole. 0: the store was never restored.
    Revision base() const noexcept { return _base; }
    /// Takes the clock from the deadlines of a record from before: it gets its full time again,
    /// however well the clock is known.
    void renewTime(backend::Record& record) const;
    /// Until when nothing may be granted. `recoveredAt`: see adopt().
    std::optional<BootTime> grantsFrom(const SharedText& clock, BootTime recoveredAt,
                                       Now now) const;

private:
    Revision _base;
    backend::Deadline _grants;
    Milliseconds _wait{0};
};

} // namespace octostore::coordination
