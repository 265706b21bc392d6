// SPDX-License-Identifier: MIT
/// @file
/// Dates of the calendar that others wrote, and a second way to write ours.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Time.h>

#include <ctime>
#include <optional>
#include <string>

namespace octostore
{

/// The first and the last year that WallTime holds whole.
constexpr int calendarYearMin = 1678, calendarYearMax = 2261;

/// The instant of a date in UTC; `tm_wday`, `tm_yday` and `tm_isdst` are not looked at.
/// Nothing for what is no date (30 February, a leap second) and for years that WallTime lacks.
OCTOSTORE_API std::optional<WallTime> timeOf(const std::tm& utc) noexcept;

/// As toRfc3339(), with `+00:00` instead of `Z`, as the reference writes it.
OCTOSTORE_API std::string toRfc3339WithOffset(WallTime time);

} // namespace octostore
