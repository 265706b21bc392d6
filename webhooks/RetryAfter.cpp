// SPDX-License-Identifier: MIT
#include "RetryAfter.h"

#include <octostore/base/Calendar.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <string_view>

namespace octostore::webhooks
{

namespace
{

// strptime() would take the names of the months from the locale.
constexpr std::array<std::string_view, 12> months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

std::optional<WallTime> parseDate(const std::string& text)
{
    std::tm parts{};
    std::array<char, 4> month{};
    int length = 0;
    if (std::sscanf(text.c_str(), "%*3[A-Za-z], %2d %3[A-Za-z] %4d %2d:%2d:%2d GMT%n",
                    &parts.tm_mday, month.data(), &parts.tm_year, &parts.tm_hour, &parts.tm_min,
                    &parts.tm_sec, &length) != 6 ||
        static_cast<std::size_t>(length) != text.size())
        return std::nullopt;
    const auto found = std::find(months.begin(), months.end(), std::string_view(month.data()));
    if (found == months.end())
        return std::nullopt;
    parts.tm_mon = static_cast<int>(found - months.begin());
    // 9999 is how "never" is written.
    parts.tm_year = std::min(parts.tm_year, calendarYearMax) - 1900;
    return timeOf(parts);
}

} // namespace

std::optional<Milliseconds> parseRetryAfter(const std::string& value, const std::string& date,
                                            WallTime now)
{
    std::uint32_t seconds = 0;
    const char* const end = value.data() + value.size();
    const auto read = std::from_chars(value.data(), end, seconds);
    if (read.ec == std::errc() && read.ptr == end)
        return Milliseconds(std::int64_t{seconds} * 1000);
    const auto until = parseDate(value);
    if (!until)
        return std::nullopt;
    // In nanoseconds the difference may not fit.
    const auto wait = std::chrono::floor<Milliseconds>(*until) -
                      std::chrono::floor<Milliseconds>(parseDate(date).value_or(now));
    return std::max(Milliseconds(0), wait);
}

} // namespace octostore::webhooks
