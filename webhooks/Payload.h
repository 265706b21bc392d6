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

/// When it is sent. Thread-safety: thread-compatible.
struct Occasion
{
    unsigned attempt = 1; ///< counts from 1
    WallTime now;         ///< signed as of then
    WallTime expires;     ///< when the event is too old; not said when that has passed
};

/// What a request led to carries a `traceparent` whose trace is the request's id; the parent is the
/// attempt. In the legacy format, what it has no words for (it was another format when the event
/// was read) comes in the usual envelope.
Outgoing deliveryOf(const Webhook& webhook, const event::Event& event, DeliveryKey key,
                    std::string_view incarnation, const Occasion& occasion);
Outgoing pingOf(const Webhook& webhook, const std::string& id, std::string_view incarnation,
                WallTime now);

} // namespace octostore::webhooks
