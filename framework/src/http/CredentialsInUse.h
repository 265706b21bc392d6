// SPDX-License-Identifier: MIT
/// @file
/// The credentials that requests under way rely on.
#pragma once

#include "Authenticator.h"

#include <octostore/base/Digest.h>
#include <octostore/base/Executor.h>
#include <octostore/base/Mutex.h>
#include <octostore/http/Exchange.h>
#include <octostore/http/Identity.h>

#include <list>
#include <map>
#include <memory>

namespace octostore::http
{

/// A request is authenticated once, when it comes. One that lasts is entered here, so that it ends
/// when its credential does. "Ends" is also a change of role or namespace: what was allowed at the
/// beginning need not be any more.
/// Thread-safety: thread-safe; providers are asked while no mutex is held.
class CredentialsInUse
{
public:
    /// `authenticator` must outlive this object.
    explicit CredentialsInUse(const Authenticator& authenticator);

    /// `revoked` is posted to `executor` once, when the credential of `identity` has ended - also
    /// when it has by now - unless what is returned has been let go before.
    CredentialHold enter(const Identity& identity, std::shared_ptr<Executor> executor,
                         Task revoked);
    void check();

private:
    struct Use;
    struct Table;

    bool isAsBefore(const Identity& identity) const;

    const Authenticator& _authenticator;
    const std::shared_ptr<Table> _table; ///< outlives this as long as somebody holds a use
};

} // namespace octostore::http
