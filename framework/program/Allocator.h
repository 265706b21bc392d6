// SPDX-License-Identifier: MIT
/// @file
/// What the server asks of the allocator it is linked with.
#pragma once

namespace octostore::program
{

/// Gives the memory that is free back to the system: what only the start needed. Takes some
/// milliseconds. Thread-safety: thread-safe.
void giveBackFreeMemory() noexcept;

} // namespace octostore::program
