// SPDX-License-Identifier: MIT
/// @file
/// The status that the commands ask for.
#pragma once

namespace octostore::program
{

/// RFC 9110 15.3.1.
constexpr int httpOk = 200;

} // namespace octostore::program
