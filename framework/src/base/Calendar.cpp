// SPDX-License-Identifier: MIT
#include <octostore/base/Calendar.h>

namespace octostore
{

namespace
{

bool isWithin(int value, int least, int most) noexcept
{
    return least <= value && value <= most;
}

} // namespace

std::optional<WallTime> timeOf(const std::tm& utc) noexcept
{
    using namespace std::chrono;
    // The types of <chrono> do not look at what they are made of.
    if (!isWithin(utc.tm_year, calendarYearMin - 1900, calendarYearMax - 1900) ||
        !isWithin(utc.tm_mon, 0, 11) || !isWithin(utc.tm_mday, 1, 31) ||
        !isWithin(utc.tm_hour, 0, 23) || !isWithin(utc.tm_min, 0, 59) ||
        !isWithin(utc.tm_sec, 0, 59))
        return std::nullopt;
    const year_month_day date(year(utc.tm_year + 1900),
                              month(static_cast<unsigned>(utc.tm_mon) + 1),
                              day(static_cast<unsigned>(utc.tm_mday)));
    if (!date.ok())
        return std::nullopt;
    return WallTime(sys_days(date)) + hours(utc.tm_hour) + minutes(utc.tm_min) +
           seconds(utc.tm_sec);
}

std::string toRfc3339WithOffset(WallTime time)
{
    std::string text = toRfc3339(time);
    text.pop_back();
    return text += "+00:00";
}

} // namespace octostore
