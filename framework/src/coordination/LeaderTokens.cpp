// SPDX-License-Identifier: MIT
#include "coordination/LeaderTokens.h"

#include <string>

namespace octostore::coordination
{

LeaderToken deriveLeaderToken(std::string_view key, std::string_view room,
                              std::string_view candidate, const TokenNonce& nonce) noexcept
{
    std::string message("octostore/leader-token/1");
    message.push_back('\0');
    message.append(room).push_back('\0');
    message.append(candidate).push_back('\0');
    message.append(reinterpret_cast<const char*>(nonce.data()), nonce.size());
    return hmacSha256(key, message);
}

Digest digestOf(const LeaderToken& token) noexcept
{
    return sha256({reinterpret_cast<const char*>(token.data()), token.size()});
}

Digest digestOf(const LeaseId& lease) noexcept
{
    const auto& bytes = lease.uuid.bytes;
    return sha256({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

} // namespace octostore::coordination
