// SPDX-License-Identifier: MIT
/// @file
/// What names and namespaces of registered accounts look like.
#pragma once

#include <octostore/base/Result.h>

#include <string>
#include <string_view>

namespace octostore::accounts
{

/// 1..64 of `[A-Za-z0-9_-]`. Errors: InvalidInput.
Result<void> checkUserName(std::string_view name);
/// Without slashes around it; empty: none. Errors: InvalidInput, unless it is then empty or
/// 1..64 of `[A-Za-z0-9._-]`.
Result<std::string> readNamespace(std::string_view written);

} // namespace octostore::accounts
