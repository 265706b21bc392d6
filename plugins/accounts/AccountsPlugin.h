// SPDX-License-Identifier: MIT
/// @file
/// Accounts that live in the store: registration and tokens.
#pragma once

#include "AccountRoutes.h"
#include "AccountStore.h"
#include "AccountTable.h"

#include <octostore/http/Identity.h>
#include <octostore/http/Route.h>
#include <octostore/plugin/Plugin.h>

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace octostore::accounts
{

/// An account of the configuration has precedence over a stored one of the same name.
/// Thread-safety: thread-affine(the program's main thread), but members of AuthProvider: any
/// thread.
class AccountsPlugin final : public plugin::Plugin,
                             public http::AuthProvider,
                             public http::RouteProvider
{
public:
    Result<void> check(const config::View& configuration) const noexcept override;
    Result<void> configure(const plugin::Context& context) noexcept override;
    Result<void> start(plugin::ExtensionRegistry& registry) noexcept override;
    Result<void> reload(const config::View& configuration) noexcept override;
    void stop() noexcept override {}

    /// Nothing before routes() was called: only then every other provider is known.
    std::optional<http::Identity> authenticate(const Digest& token) const noexcept override;
    std::size_t principals() const noexcept override;
    std::vector<http::Account> accounts() const noexcept override;
    bool hasAccount(std::string_view name) const noexcept override;

    std::vector<http::Route> routes() override;

private:
    bool isConfigured(std::string_view name) const noexcept;

    const plugin::Context* _context = nullptr;
    const plugin::ExtensionRegistry* _registry = nullptr;
    bool _registration = false;
    AccountTable _table;
    std::unique_ptr<AccountStore> _store;
    std::unique_ptr<AccountRoutes> _routes;
    std::vector<const http::AuthProvider*> _others;
};

} // namespace octostore::accounts
