// SPDX-License-Identifier: MIT
#include "Authenticator.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace octostore::http
{

namespace
{

constexpr std::string_view bearerPrefix = "Bearer ";
constexpr std::string_view adminPrefix = "admin:";

bool isAscii(std::string_view text)
{
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// The alternative name counts only when the first is absent.
const std::string* adminHeader(const Headers& headers)
{
    const std::string* header = headers.find("x-admin-key");
    return header != nullptr ? header : headers.find("x-octostore-admin-key");
}

Identity administrator(const Digest& credential)
{
    Identity identity;
    identity.name = "admin";
    identity.role = Role::Admin;
    identity.credential = credential;
    return identity;
}

bool suffices(Role role, Access access) noexcept
{
    switch (access)
    {
    case Access::Public:
    case Access::User:
        return true;
    case Access::Observer:
        return role != Role::User;
    case Access::Admin:
        return role == Role::Admin;
    }
    return false;
}

} // namespace

Authenticator::Authenticator(std::vector<const AuthProvider*> providers,
                             std::optional<Digest> adminKey)
    : _providers(std::move(providers)), _adminKey(adminKey)
{
}

Result<Identity> Authenticator::authenticate(const Headers& headers, Access access) const
{
    auto identity = identify(headers, access);
    if (identity && !suffices(identity->role, access))
        return Error{ErrorCode::Forbidden, access == Access::Admin
                                               ? "Only an administrator may do this."
                                               : "Only an observer or administrator may do this."};
    return identity;
}

void Authenticator::setAdminKey(std::optional<Digest> adminKey)
{
    MutexLock lock(_mutex);
    _adminKey = adminKey;
}

bool Authenticator::isAdminKey(const Digest& presented) const noexcept
{
    MutexLock lock(_mutex);
    return _adminKey && equalSecrets(presented, *_adminKey);
}

std::optional<Identity> Authenticator::identityOf(const Digest& presented) const
{
    if (isAdminKey(presented))
        return administrator(presented);
    return holderOf(presented);
}

std::optional<Identity> Authenticator::holderOf(const Digest& token) const
{
    for (const AuthProvider* provider : _providers)
    {
        if (std::optional<Identity> identity = provider->authenticate(token))
        {
            identity->credential = token;
            return identity;
        }
    }
    return std::nullopt;
}

Result<Identity> Authenticator::identify(const Headers& headers, Access access) const
{
    const std::string* adminKey = adminHeader(headers);
    if (adminKey != nullptr)
    {
        const Digest presented = sha256(*adminKey);
        if (isAdminKey(presented))
            return administrator(presented);
    }

    const std::string* authorization = headers.find("authorization");
    if (authorization == nullptr || !authorization->starts_with(bearerPrefix) ||
        !isAscii(*authorization))
        return Error{ErrorCode::AuthenticationRequired,
                     "Send the header `Authorization: Bearer TOKEN`."};

    const std::string_view token = std::string_view(*authorization).substr(bearerPrefix.size());
    if (adminKey == nullptr && access != Access::User && token.starts_with(adminPrefix))
    {
        const Digest presented = sha256(token.substr(adminPrefix.size()));
        if (isAdminKey(presented))
            return administrator(presented);
    }
    if (std::optional<Identity> identity = holderOf(sha256(token)))
        return std::move(*identity);
    return Error{ErrorCode::AuthenticationFailed, "The bearer token is unknown."};
}

} // namespace octostore::http
