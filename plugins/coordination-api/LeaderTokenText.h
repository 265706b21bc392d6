// SPDX-License-Identifier: MIT
/// @file
/// Leader tokens as they stand in JSON.
#pragma once

#include <octostore/base/Result.h>
#include <octostore/coordination/Command.h>

#include <string_view>

namespace octostore::coordination_api
{

/// Reads 43 characters of base64url without padding.
/// Errors: InvalidInput for everything that no token is written like.
Result<coordination::LeaderToken> parseLeaderToken(std::string_view text);

} // namespace octostore::coordination_api
