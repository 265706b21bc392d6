// SPDX-License-Identifier: MIT
/// @file
/// What names of registered accounts look like.
#pragma once

#include <octostore/base/Result.h>

#include <string_view>

namespace octostore::accounts
{

/// 1..64 of `[A-Za-z0-9_-]`. Errors: InvalidInput.
Result<void> checkUserName(std::string_view name);

} // namespace octostore::accounts
