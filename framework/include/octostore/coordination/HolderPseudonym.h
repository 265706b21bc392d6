// SPDX-License-Identifier: MIT
/// @file
/// What others see of a holder.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Id.h>

namespace octostore::coordination
{

/// The same for the same holder on every lock and after every restart, of no use on any endpoint,
/// and never the holder's own ID: the first 16 bytes of SHA-256("octostore/holder/1/" + the ID's
/// bytes) as a version 8 UUID.
OCTOSTORE_API Uuid pseudonymOf(HolderId holder) noexcept;

} // namespace octostore::coordination
