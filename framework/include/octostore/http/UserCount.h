// SPDX-License-Identifier: MIT
/// @file
/// How many users the server has.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/http/Identity.h>

#include <cstdint>
#include <vector>

namespace octostore::http
{

/// The principals of all of them; `providers` from the ExtensionRegistry.
OCTOSTORE_API std::uint64_t userCount(const std::vector<AuthProvider*>& providers) noexcept;

} // namespace octostore::http
