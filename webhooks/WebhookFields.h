// SPDX-License-Identifier: MIT
/// @file
/// Webhooks as clients write and read them.
#pragma once

#include "DeliveryLog.h"
#include "Dispatcher.h"
#include "EgressPolicy.h"
#include "Webhook.h"

#include <octostore/base/Json.h>

#include <optional>
#include <string>
#include <variant>

namespace octostore::webhooks
{

/// Takes what `body` says into `webhook`; what it does not mention stays. `fresh`: it is being
/// made, so a URL is needed and the format depends on the fields. `webhook.admin` says whether
/// patterns of rooms are taken: those of others match nothing.
/// Errors: Unprocessable for a wrong type, InvalidInput for a value.
Result<void> readFields(const JsonValue::Object& body, const EgressPolicy& policy, bool fresh,
                        Webhook& webhook);
/// A secret of a client. Errors: InvalidInput.
Result<void> checkSecret(const std::string& secret);

/// A place in the journal, or a time. Errors: Unprocessable, InvalidInput.
Result<std::variant<Sequence, WallTime>> readSince(const JsonValue::Object& body);

/// `shown`: the secret, where it is shown; else only whether there is one.
void writeFields(JsonWriter& json, const Webhook& webhook,
                 const std::optional<std::string>& shown = {});
/// The member `stats`.
void writeStats(JsonWriter& json, const Dispatcher::Summary& summary, const DeliveryStats& stats);
/// One object; with `detail` body and attempts too.
void writeDelivery(JsonWriter& json, const DeliveryRow& row,
                   const DeliveryDetail* detail = nullptr);

/// What is answered where something would have to be signed with a secret whose key is not here.
Error unreadableSecret();

} // namespace octostore::webhooks
