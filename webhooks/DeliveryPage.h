// SPDX-License-Identifier: MIT
/// @file
/// Deliveries as people are shown them: what the log has, and what is under way.
#pragma once

#include "DeliveryRow.h"

#include <optional>
#include <string>
#include <vector>

namespace octostore::webhooks
{

struct DeliveryPage
{
    std::vector<DeliveryRow> rows;
    std::string next; ///< `after` of the next page; empty: that was the last
};

/// `logged`: what the log answers, one more than the limit when there are more. `current`: what is
/// `delivering` or `pending`; the log has it as it was before, or not at all. Pure.
DeliveryPage pageOf(std::vector<DeliveryRow> logged, const std::vector<DeliveryRow>& current,
                    const DeliveryQuery& query);
/// The same of one delivery; nothing stays nothing unless it is under way. Pure.
void showUnderWay(std::optional<DeliveryDetail>& detail, const std::vector<DeliveryRow>& current,
                  DeliveryKey key);

} // namespace octostore::webhooks
