// SPDX-License-Identifier: MIT
/// @file
/// Where those who change credentials say so.
#pragma once

#include <octostore/base/Api.h>

#include <string_view>

namespace octostore::http
{

/// Extension point, contributed by the server itself: looks again at the credentials of requests
/// that are still under way (streams, waits). Whoever makes a token stop working - a rotation, a
/// revocation, a reload - calls it afterwards.
/// Thread-safety: thread-safe; never blocks on a request.
class OCTOSTORE_API CredentialCheck
{
public:
    static constexpr std::string_view extensionPoint = "http.credentials/1";
    virtual ~CredentialCheck();
    /// Every request that asked for it (Exchange::onRevoked) and whose credential is not what it
    /// was learns so, soon.
    virtual void credentialsChanged() noexcept = 0;
};

} // namespace octostore::http
