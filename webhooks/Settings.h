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

#include <string>
#include <vector>

namespace octostore::webhooks
{

std::vector<config::Key> settingKeys();

/// Errors: Configuration.
Result<EgressPolicy> egressPolicy(const config::View& configuration);
/// Errors: Configuration.
Result<RetryRules> retryRules(const config::View& configuration);
HttpSenderOptions senderOptions(const config::View& configuration);
DeliveryLogLimits logLimits(const config::View& configuration);
/// The file beside the store with this end.
std::string fileBesideStore(const config::View& configuration, const std::string& end);
/// The key of the secrets. Errors: Configuration.
Result<SecretBox> secretBox(const config::View& configuration, Random& random);

} // namespace octostore::webhooks
