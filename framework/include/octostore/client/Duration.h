// SPDX-License-Identifier: MIT
/// @file
/// Durations as people write them on a command line.
#pragma once

#include <octostore/base/Result.h>
#include <octostore/base/Time.h>

#include <string_view>

namespace octostore::client
{

/// An integer with `ms`, `s`, `m` or `h`; a bare integer is seconds. At most 24 h.
/// Errors: InvalidInput, the message says what is wrong with the text.
Result<Milliseconds> parseDuration(std::string_view text);

} // namespace octostore::client
