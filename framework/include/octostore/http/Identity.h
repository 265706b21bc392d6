// SPDX-License-Identifier: MIT
/// @file
/// Who a request comes from, and how plugins tell.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Digest.h>
#include <octostore/base/Id.h>
#include <octostore/base/Time.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::http
{

enum class Role : std::uint8_t
{
    User,
    Observer, ///< may read what administrators read
    Admin,
};

struct Identity
{
    PrincipalId principal; ///< nil: the admin key
    std::string name;
    Role role = Role::User;
    std::string space;   ///< namespace; empty: none
    Digest credential{}; ///< SHA-256 of the token presented
};

/// An account as administrators see it.
struct Account
{
    PrincipalId principal;
    std::string name;
    std::string identityClass; ///< static, local
    Role role = Role::User;
    std::string space; ///< namespace; empty: none
    std::optional<WallTime> createdAt;
};

/// `user`, `observer`, `admin`.
OCTOSTORE_API std::string_view roleName(Role role) noexcept;

/// Extension point: knows the holders of bearer tokens.
/// Thread-safety: thread-safe.
class OCTOSTORE_API AuthProvider
{
public:
    static constexpr std::string_view extensionPoint = "auth.provider/1";
    virtual ~AuthProvider();
    /// `token` is the SHA-256 of the bearer token. Nothing when it is unknown; the next provider
    /// is asked.
    virtual std::optional<Identity> authenticate(const Digest& token) const noexcept = 0;
    /// How many principals it lets in: as many as accounts() has.
    virtual std::size_t principals() const noexcept { return 0; }
    /// All of them, in any order.
    virtual std::vector<Account> accounts() const noexcept;
    /// Whether an account of this name, its case ignored, is this provider's.
    virtual bool hasAccount(std::string_view name) const noexcept;
    /// Whether a plain text is a token this provider knows; the admin key must not be one.
    bool knows(std::string_view token) const noexcept
    {
        return authenticate(sha256(token)).has_value();
    }
};

/// A principal's id, the same on every server and after every restart: the first 16 bytes of
/// SHA-256("octostore/principal/1/" + lower-case name) as a version 8 UUID.
OCTOSTORE_API PrincipalId principalIdOf(std::string_view name);

} // namespace octostore::http
