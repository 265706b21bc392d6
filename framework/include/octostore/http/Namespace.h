// SPDX-License-Identifier: MIT
/// @file
/// What the namespace of an account looks like.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Result.h>

#include <string>
#include <string_view>

namespace octostore::http
{

/// Without slashes around it; empty: none. Errors: InvalidInput, unless it is then empty or
/// 1..64 of `[A-Za-z0-9._-]`.
OCTOSTORE_API Result<std::string> readNamespace(std::string_view written);

} // namespace octostore::http
