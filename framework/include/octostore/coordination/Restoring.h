// SPDX-License-Identifier: MIT
/// @file
/// The refusal of grants while leases from before a restore may be live.
#pragma once

#include <octostore/base/Result.h>

#include <string_view>

namespace octostore::coordination
{

/// The one refusal as Unavailable whose words are for clients: nothing is broken.
inline constexpr std::string_view restoringText =
    "The store was restored; nothing is granted while leases from before may be live.";

inline bool isRestoring(const Error& error)
{
    return error.code == ErrorCode::Unavailable && error.message == restoringText;
}

} // namespace octostore::coordination
