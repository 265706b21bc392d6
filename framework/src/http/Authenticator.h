// SPDX-License-Identifier: MIT
/// @file
/// Who asks, from the headers of a request.
#pragma once

#include <octostore/base/Digest.h>
#include <octostore/base/Result.h>
#include <octostore/http/Identity.h>
#include <octostore/http/Message.h>
#include <octostore/http/Route.h>

#include <optional>
#include <vector>

namespace octostore::http
{

/// Thread-safety: thread-safe.
class Authenticator
{
public:
    /// `providers` must outlive this object.
    Authenticator(std::vector<const AuthProvider*> providers, std::optional<Digest> adminKey);

    /// For a route that is not Public. Errors: AuthenticationRequired, AuthenticationFailed,
    /// Forbidden.
    Result<Identity> authenticate(const Headers& headers, Access access) const;

private:
    bool isAdminKey(const Digest& presented) const noexcept;
    Result<Identity> identify(const Headers& headers, Access access) const;

    const std::vector<const AuthProvider*> _providers;
    const std::optional<Digest> _adminKey;
};

} // namespace octostore::http
