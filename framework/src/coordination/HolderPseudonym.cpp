// SPDX-License-Identifier: MIT
#include <octostore/base/Digest.h>
#include <octostore/coordination/HolderPseudonym.h>

#include <algorithm>
#include <string_view>

namespace octostore::coordination
{

Uuid pseudonymOf(HolderId holder) noexcept
{
    constexpr std::string_view domain = "octostore/holder/1/";
    std::array<char, domain.size() + sizeof(Uuid::bytes)> message;
    const auto rest = std::copy(domain.begin(), domain.end(), message.begin());
    std::copy(holder.uuid.bytes.begin(), holder.uuid.bytes.end(), rest);
    const Digest digest = sha256({message.data(), message.size()});

    Uuid pseudonym;
    std::copy_n(digest.begin(), pseudonym.bytes.size(), pseudonym.bytes.begin());
    pseudonym.bytes[6] = static_cast<std::uint8_t>(0x80 | (pseudonym.bytes[6] & 0x0F));
    pseudonym.bytes[8] = static_cast<std::uint8_t>(0x80 | (pseudonym.bytes[8] & 0x3F));
    // A fixed point of the digest would give the ID away.
    if (pseudonym == holder.uuid)
        pseudonym.bytes[15] ^= 1;
    return pseudonym;
}

} // namespace octostore::coordination
