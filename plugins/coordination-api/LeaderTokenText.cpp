// SPDX-License-Identifier: MIT
#include "LeaderTokenText.h"

#include <cstdint>

namespace octostore::coordination_api
{

namespace
{

constexpr std::size_t tokenCharacters = 43;

/// -1: not in the alphabet.
int sextetOf(char c) noexcept
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == '-')
        return 62;
    return c == '_' ? 63 : -1;
}

} // namespace

Result<coordination::LeaderToken> parseLeaderToken(std::string_view text)
{
    const Error invalid{ErrorCode::InvalidInput,
                        "`leader_token` must be a token that a campaign was answered with."};
    if (text.size() != tokenCharacters)
        return invalid;

    coordination::LeaderToken token{};
    std::uint32_t bits = 0;
    unsigned held = 0;
    std::size_t written = 0;
    for (const char c : text)
    {
        const int sextet = sextetOf(c);
        if (sextet < 0)
            return invalid;
        bits = (bits << 6 | static_cast<std::uint32_t>(sextet)) & 0xFFFF;
        held += 6;
        if (held >= 8)
        {
            held -= 8;
            token[written++] = static_cast<std::uint8_t>(bits >> held);
        }
    }
    // Two spellings of one token would be two answers to "is this the same token?".
    if ((bits & ((1U << held) - 1)) != 0)
        return invalid;
    return token;
}

} // namespace octostore::coordination_api
