// SPDX-License-Identifier: MIT
/// @file
/// Writes accounts durably, through the engine, each change with its event.
#pragma once

#include "AccountTable.h"

#include <octostore/base/Result.h>
#include <octostore/base/Time.h>
#include <octostore/coordination/Coordinator.h>
#include <octostore/http/Exchange.h>

#include <functional>
#include <memory>
#include <string>

namespace octostore::accounts
{

/// The table is changed only by what was committed.
/// Thread-safety: thread-safe.
class AccountStore
{
public:
    /// Called on the exchange's thread.
    using Done = std::function<void(Result<void>)>;

    /// All must outlive this object, and this object every exchange.
    AccountStore(coordination::Coordinator& coordinator, const Clock& clock, AccountTable& table)
        : _coordinator(coordinator), _clock(clock), _table(table)
    {
    }

    /// Fills the table; waits for the engine. Errors: Unavailable; the plugin cannot start.
    Result<void> load();
    /// Makes an account. Errors: Conflict when there is one of its name; those of the engine.
    void create(const http::ExchangePtr& exchange, backend::PrincipalRecord account, Done done);
    /// Gives `account` another token. Errors: AuthenticationFailed when the account was changed
    /// meanwhile and the token it was found by is no longer good; InvalidInput when an
    /// administrator's reason is none; those of the engine.
    void replaceToken(const http::ExchangePtr& exchange, const StoredAccount& account,
                      const Digest& token, Done done);

private:
    coordination::Request change(const http::ExchangePtr& exchange, const StoredAccount& before,
                                 const backend::PrincipalRecord& after, event::Type type,
                                 std::string reason = {}) const;
    void submit(const http::ExchangePtr& exchange, coordination::Request request,
                backend::PrincipalRecord after, Error conflict, Done done);

    coordination::Coordinator& _coordinator;
    const Clock& _clock;
    AccountTable& _table;
};

} // namespace octostore::accounts
