// SPDX-License-Identifier: MIT
/// @file
/// Whether a history could have come from a name that does one thing after the other.
#pragma once

#include "History.h"

#include <optional>
#include <string>

namespace octostore::test
{

/// Searches an order of the operations in which each takes effect between its two instants and
/// every answer is what LeaseModel allows; remembers where it has been. Nothing when there is one;
/// else the operations around the point no order gets past. At most 64 operations may overlap.
std::optional<std::string> refuse(History history);

} // namespace octostore::test
