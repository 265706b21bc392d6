// SPDX-License-Identifier: MIT
/// @file
/// The term a fence query asks about.
#pragma once

#include <octostore/base/Id.h>
#include <octostore/base/Result.h>

#include <string_view>

namespace octostore::coordination_api
{

/// Reads `term` from a raw query. Errors: InvalidInput when it is missing or no term.
Result<Term> fenceTermOf(std::string_view query);

} // namespace octostore::coordination_api
