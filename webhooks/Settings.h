// SPDX-License-Identifier: MIT
/// @file
/// The configuration keys of webhooks.
#pragma once

#include "DeliveryLog.h"
#include "Dispatcher.h"
#include "EgressPolicy.h"
#include "HttpSender.h"
#include "SecretBox.h"

#include <octostore/config/Config.h>

#include <optional>
#include <string>
#include <vector>

namespace octostore::webhooks
{

std::vector<config::Key> settingKeys();

/// Errors: Configuration.
Result<EgressPolicy> egressPolicy(const config::View& configuration);
/// Errors: Configuration, a line for each delay that is none.
Result<RetryRules> retryRules(const config::View& configuration);
/// Without its certificates every delivery would fail. Errors: Configuration.
Result<void> checkCaBundle(const config::View& configuration);
HttpSenderOptions senderOptions(const config::View& configuration);
DeliveryLogLimits logLimits(const config::View& configuration);
/// The file beside the store with this end.
std::string fileBesideStore(const config::View& configuration, const std::string& end);
/// The key of the secrets as the configuration has it; nothing: it has none. Errors: Configuration.
Result<std::optional<SecretBox>> configuredSecretBox(const config::View& configuration);
/// The file of the key beside the store.
std::string keyFile(const config::View& configuration);
/// The same, else that of the key file; no key when there is no such file either.
/// Errors: Configuration.
Result<SecretBox> secretBox(const config::View& configuration);

} // namespace octostore::webhooks
