// SPDX-License-Identifier: MIT
/// @file
/// Which lock names a caller may use.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Result.h>
#include <octostore/http/Identity.h>

#include <string>
#include <string_view>

namespace octostore::http
{

/// What all of the caller's lock names start with; empty: it may use every name.
OCTOSTORE_API std::string lockPrefixOf(const Identity& caller);
/// For a name that is well-formed. Errors: Forbidden, the name is the server's or outside the
/// caller's namespace.
OCTOSTORE_API Result<void> checkMayUse(std::string_view name, const Identity& caller);

} // namespace octostore::http
