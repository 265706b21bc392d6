// SPDX-License-Identifier: MIT
/// @file
/// What the body of an administrative act says.
#pragma once

#include <octostore/base/Id.h>
#include <octostore/base/Json.h>
#include <octostore/base/Result.h>

#include <string>

namespace octostore::admin_api
{

/// 1..256 characters under `reason`. Errors: InvalidInput.
Result<std::string> readReason(const JsonValue::Object& body);
/// A positive integer under `term`. Errors: InvalidInput.
Result<Term> readTerm(const JsonValue::Object& body);

} // namespace octostore::admin_api
