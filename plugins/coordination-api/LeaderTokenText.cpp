// SPDX-License-Identifier: MIT
#include "LeaderTokenText.h"

#include <octostore/base/Base64.h>

#include <string_view>

namespace octostore::coordination_api
{

namespace
{

constexpr std::size_t tokenCharacters = 43;
// Two bits of the last character stand for nothing. Two spellings of one token would be two
// answers to "is this the same token?".
constexpr std::string_view lastCharacters = "AEIMQUYcgkosw048";

} // namespace

Result<coordination::LeaderToken> parseLeaderToken(std::string_view text)
{
    const bool exact = text.size() == tokenCharacters &&
                       lastCharacters.find(text.back()) != std::string_view::npos;
    coordination::LeaderToken token{};
    if (!exact || !fromBase64Url(text, token))
        return Error{ErrorCode::InvalidInput,
                     "`leader_token` must be a token that a campaign was answered with."};
    return token;
}

} // namespace octostore::coordination_api
