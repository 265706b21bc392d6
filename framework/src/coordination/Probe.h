// SPDX-License-Identifier: MIT
/// @file
/// Who asks whether the store works.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Time.h>
#include <octostore/coordination/Coordinator.h>

#include <optional>
#include <vector>

namespace octostore::coordination
{

/// However many ask, the store is asked by one transaction at a time, and after a good answer not
/// again for a second. Somebody waits exactly while that transaction is under way.
/// Thread-safety: thread-affine(engine).
class OCTOSTORE_API Probe
{
public:
    /// It worked so short a time ago that this is the answer.
    bool believed(BootTime now) const noexcept;
    /// `ticket` waits for the answer. True: the store is not being asked yet, the caller has to.
    bool join(Ticket ticket);
    /// The store has answered whoever waited, which is returned.
    std::vector<Ticket> answered(bool works, BootTime now);

private:
    std::vector<Ticket> _waiting;
    std::optional<BootTime> _workedAt;
};

} // namespace octostore::coordination
