// SPDX-License-Identifier: MIT
#include <octostore/base/Text.h>
#include <octostore/http/Identity.h>

#include <algorithm>

namespace octostore::http
{

AuthProvider::~AuthProvider() = default;

std::vector<Account> AuthProvider::accounts() const noexcept
{
    return {};
}

bool AuthProvider::hasAccount(std::string_view) const noexcept
{
    return false;
}

std::string_view roleName(Role role) noexcept
{
    switch (role)
    {
    case Role::Observer:
        return "observer";
    case Role::Admin:
        return "admin";
    case Role::User:
        break;
    }
    return "user";
}

PrincipalId principalIdOf(std::string_view name)
{
    const Digest digest = sha256("octostore/principal/1/" + toLower(name));
    PrincipalId id;
    std::copy_n(digest.begin(), id.uuid.bytes.size(), id.uuid.bytes.begin());
    // Version 8 (free form) and the RFC 4122 variant.
    id.uuid.bytes[6] = static_cast<std::uint8_t>((id.uuid.bytes[6] & 0x0f) | 0x80);
    id.uuid.bytes[8] = static_cast<std::uint8_t>((id.uuid.bytes[8] & 0x3f) | 0x80);
    return id;
}

} // namespace octostore::http
