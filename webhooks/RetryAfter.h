// SPDX-License-Identifier: MIT
/// @file
/// When a receiver wants to be asked again.
#pragma once

#include <octostore/base/Time.h>

#include <optional>
#include <string>

namespace octostore::webhooks
{

/// The value of a Retry-After header: seconds, or a date in the form HTTP prefers (`Sun, 06 Nov
/// 1994 08:49:37 GMT`). `date`: the Date header of the answer, so that the receiver's clock is
/// compared with itself; `now` where there is none. A date that has passed is no wait.
/// Nothing when it is neither. Pure.
std::optional<Milliseconds> parseRetryAfter(const std::string& value, const std::string& date,
                                            WallTime now);

} // namespace octostore::webhooks
