// SPDX-License-Identifier: MIT
/// @file
/// What is served under /auth.
#pragma once

#include "AccountStore.h"
#include "AccountTable.h"

#include <octostore/base/Random.h>
#include <octostore/http/Identity.h>
#include <octostore/http/Route.h>

#include <functional>
#include <string_view>
#include <vector>

namespace octostore::accounts
{

/// What the routes work with. Everything must outlive every exchange.
struct Surroundings
{
    AccountStore& store;
    const AccountTable& table;
    const Clock& clock;
    Random& random;
    /// Those who know the accounts that are not in the store.
    std::vector<const http::AuthProvider*> others;
    /// Called when a token has stopped working; any thread.
    std::function<void()> credentialsChanged = [] {};
};

/// Registers accounts and replaces their tokens. A token is shown once, in the answer that made it.
/// Thread-safety: immutable; handlers run on the exchange's thread.
class AccountRoutes
{
public:
    /// This object must outlive every exchange.
    explicit AccountRoutes(Surroundings around) : _around(std::move(around)) {}

    /// `registration`: whether there is a route for it.
    std::vector<http::Route> routes(bool registration) const;

private:
    void registerAccount(const http::ExchangePtr& exchange) const;
    void rotate(const http::ExchangePtr& exchange) const;
    bool isTaken(std::string_view name) const;
    std::string freshToken() const;

    const Surroundings _around;
};

} // namespace octostore::accounts
