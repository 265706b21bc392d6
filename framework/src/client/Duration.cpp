// SPDX-License-Identifier: MIT
#include <octostore/client/Duration.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <string>

namespace octostore::client
{

namespace
{

struct Unit
{
    std::string_view suffix;
    std::int64_t milliseconds;
};

constexpr std::array<Unit, 5> units{
    {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}, {"", 1000}}};
constexpr std::int64_t most = std::int64_t{24} * 3'600'000;

Error invalid(std::string_view text)
{
    return {ErrorCode::InvalidInput, "\"" + std::string(text) +
                                         "\" is no duration; write an integer with ms, s, m or h, "
                                         "at most 24h"};
}

} // namespace

Result<Milliseconds> parseDuration(std::string_view text)
{
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, fault] = std::from_chars(text.data(), end, number);
    if (fault != std::errc() || number < 0)
        return invalid(text);
    const std::string_view suffix(rest, static_cast<std::size_t>(end - rest));
    for (const Unit& unit : units)
        if (unit.suffix == suffix)
        {
            if (number > most / unit.milliseconds)
                return invalid(text);
            return Milliseconds(number * unit.milliseconds);
        }
    return invalid(text);
}

} // namespace octostore::client
