// SPDX-License-Identifier: MIT
/// @file
/// How a leader token is derived from a candidate key, so that a lost answer can be asked for
/// again although neither key nor token is stored; and what is stored of secrets.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Digest.h>
#include <octostore/coordination/Command.h>

#include <string_view>

namespace octostore::coordination
{

/// HMAC-SHA256(key, "octostore/leader-token/1" | room | candidate | nonce), each part but the last
/// ended by a zero byte, which none of them can contain.
OCTOSTORE_API LeaderToken deriveLeaderToken(std::string_view key, std::string_view room,
                                            std::string_view candidate,
                                            const TokenNonce& nonce) noexcept;

/// SHA-256 of the token's bytes: all that is stored of it.
OCTOSTORE_API Digest digestOf(const LeaderToken& token) noexcept;

/// SHA-256 of a lease ID's bytes: what is kept of it once the lease has ended.
OCTOSTORE_API Digest digestOf(const LeaseId& lease) noexcept;

} // namespace octostore::coordination
