// SPDX-License-Identifier: MIT
/// @file
/// Where the delivery log is kept.
#pragma once

#include "DeliveryRow.h"

#include <optional>
#include <string>
#include <vector>

namespace octostore::webhooks
{

/// May be slow: only the log's own thread waits for it. Thread-safety: thread-compatible.
class DeliveryStore
{
public:
    virtual ~DeliveryStore() = default;

    /// In one transaction. False: it could not be written.
    virtual bool write(const std::vector<DeliveryNote>& notes) noexcept = 0;
    /// Newest first; one more than the limit when there are more.
    virtual std::vector<DeliveryRow> list(const DeliveryQuery& query) noexcept = 0;
    virtual std::optional<DeliveryDetail> find(const std::string& webhook,
                                               DeliveryKey key) noexcept = 0;
    virtual DeliveryStats stats(const std::string& webhook, WallTime since) noexcept = 0;
    /// Forgets what is too old, and the oldest while there is too much.
    virtual void trim(WallTime now, const DeliveryLogLimits& limits) noexcept = 0;
};

} // namespace octostore::webhooks
