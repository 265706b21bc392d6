// SPDX-License-Identifier: MIT
/// @file
/// How clients say which types of events they mean.
#pragma once

#include <octostore/base/Api.h>

#include <string_view>

namespace octostore::event
{

/// `lock.acquired`, or with `*` for a part: `lock.*`, `*.created`. `*` alone is every type.
OCTOSTORE_API bool matchesTypeName(std::string_view pattern, std::string_view name) noexcept;
/// Whether there is any type that `pattern` matches.
OCTOSTORE_API bool isTypePattern(std::string_view pattern) noexcept;

} // namespace octostore::event
