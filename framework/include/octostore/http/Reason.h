// SPDX-License-Identifier: MIT
/// @file
/// Why an administrator does something; it goes into the journal.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Json.h>
#include <octostore/base/Result.h>

#include <string>

namespace octostore::http
{

class Exchange;

/// 1..256 characters under `reason`. Errors: InvalidInput, also when there is none.
OCTOSTORE_API Result<std::string> readReason(const JsonValue::Object& body);
/// The same, and empty when there is none. Errors: InvalidInput.
OCTOSTORE_API Result<std::string> readOptionalReason(const JsonValue::Object& body);

/// What an administrator gave as the reason of an act that others may do as well. Empty when none
/// was given, or by anybody else: nothing is asked of them. A body that is no JSON object gives
/// none, since routes that ignore it take any bytes. Errors: InvalidInput.
OCTOSTORE_API Result<std::string> reasonOfAct(const Exchange& exchange);

} // namespace octostore::http
