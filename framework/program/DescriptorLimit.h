// SPDX-License-Identifier: MIT
/// @file
/// How many connections and files this process may have open.
#pragma once

#include <cstdint>

namespace octostore::program
{

/// Raises the soft limit of descriptors to the hard one and returns what it is then.
std::uint64_t raiseDescriptorLimit() noexcept;

} // namespace octostore::program
