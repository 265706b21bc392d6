// SPDX-License-Identifier: MIT
/// @file
/// Who asks, from the headers of a request.
#pragma once

#include <octostore/base/Digest.h>
#include <octostore/base/Mutex.h>
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
    /// Whose a credential is now; `presented` is its SHA-256. Nothing when it does not work any
    /// more.
    std::optional<Identity> identityOf(const Digest& presented) const OCTOSTORE_EXCLUDES(_mutex);
    void setAdminKey(std::optional<Digest> adminKey) OCTOSTORE_EXCLUDES(_mutex);

private:
    bool isAdminKey(const Digest& presented) const noexcept OCTOSTORE_EXCLUDES(_mutex);
    std::optional<Identity> holderOf(const Digest& token) const;
    Result<Identity> identify(const Headers& headers, Access access) const;

    const std::vector<const AuthProvider*> _providers;
    mutable Mutex _mutex;
    std::optional<Digest> _adminKey OCTOSTORE_GUARDED_BY(_mutex);
};

} // namespace octostore::http
