// SPDX-License-Identifier: MIT
/// @file
/// Whose lease it is: what a caller shows beside what the record of a name keeps. Pure.
#pragma once

#include "coordination/Rules.h"

#include <optional>
#include <string>
#include <variant>

namespace octostore::coordination
{

/// A refusal with nothing but its reason.
Answer refuse(ErrorCode code, std::string message);

/// The token of the live lease of room lease `name`, if `campaign` is by who has it: a candidate is
/// known by its key.
std::optional<LeaderToken> tokenOfReplay(const std::string& name, const NameState& state,
                                         const Campaign& campaign);

/// Why `credential` is not that of the live lease; nothing when it is. Whose lease has ended is
/// told how.
std::optional<Answer> refusalOf(const NameState& state,
                                const std::variant<LockCredential, LeaderToken>& credential,
                                BootTime now);

} // namespace octostore::coordination
