// SPDX-License-Identifier: MIT
/// @file
/// What is sent to a receiver.
#pragma once

#include "Backlog.h"
#include "Sender.h"
#include "Webhook.h"

#include <octostore/event/Event.h>

#include <string>
#include <string_view>

namespace octostore::webhooks
{

/// The name of a delivery in the API: `dlv_<sequence>`, in the legacy format `_<fact>` behind it.
std::string deliveryId(const Webhook& webhook, DeliveryKey key);
/// Nothing if it is none.
std::optional<DeliveryKey> parseDeliveryId(std::string_view text);

/// `attempt` counts from 1. Signed as of `now`. What a request led to carries a `traceparent` whose
/// trace is the request's id; the parent is the attempt.
Outgoing deliveryOf(const Webhook& webhook, const event::Event& event, DeliveryKey key,
                    std::string_view incarnation, unsigned attempt, WallTime now);
Outgoing pingOf(const Webhook& webhook, const std::string& id, std::string_view incarnation,
                WallTime now);

} // namespace octostore::webhooks
