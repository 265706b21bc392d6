// SPDX-License-Identifier: MIT
/// @file
/// What names look like: locks, rooms, candidates.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Result.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace octostore::coordination
{

constexpr std::size_t lockNameBytesMax = 256;
constexpr std::size_t lockNameComponentBytesMax = 64;
constexpr std::size_t metadataScalarsMax = 1024;

/// Unicode letters and digits, `-` `_` `.` and `/` between components; byte-wise identity.
/// Errors: InvalidLockName, saying which rule is broken.
OCTOSTORE_API Result<void> checkLockName(std::string_view name);
/// Whether a valid name stands under a prefix the server keeps for itself.
OCTOSTORE_API bool isReservedLockName(std::string_view name) noexcept;
/// 8..64 characters of `[A-Za-z0-9_-]`. Errors: InvalidInput.
OCTOSTORE_API Result<void> checkRoomId(std::string_view room);
/// 1..64 characters of `[A-Za-z0-9._:@-]`. Errors: InvalidInput.
OCTOSTORE_API Result<void> checkCandidateId(std::string_view candidate);
/// 16..128 printable ASCII characters. Errors: InvalidInput.
OCTOSTORE_API Result<void> checkCandidateKey(std::string_view key);
/// At most 1024 Unicode scalar values. Errors: InvalidInput.
OCTOSTORE_API Result<void> checkMetadata(std::string_view metadata);

/// The name of the lease record behind a room.
OCTOSTORE_API std::string leaseNameOfRoom(std::string_view room);
/// The room behind a lease record's name, or nothing if it is an ordinary lock's.
OCTOSTORE_API std::string_view roomOfLeaseName(std::string_view name) noexcept;

} // namespace octostore::coordination
