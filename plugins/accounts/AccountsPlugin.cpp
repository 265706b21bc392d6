// SPDX-License-Identifier: MIT
#include "AccountsPlugin.h"

#include "Registration.h"

#include <octostore/base/Text.h>
#include <octostore/http/CredentialCheck.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace octostore::accounts
{

namespace
{

http::Role roleOf(std::string_view name)
{
    for (const http::Role role : {http::Role::Admin, http::Role::Observer})
        if (name == http::roleName(role))
            return role;
    return http::Role::User;
}

} // namespace

Result<void> AccountsPlugin::check(const config::View& configuration) const noexcept
{
    const Result<bool> registration = registrationOf(configuration);
    if (!registration)
        return registration.error();
    return {};
}

Result<void> AccountsPlugin::configure(const plugin::Context& context) noexcept
{
    if (context.coordinator == nullptr)
        return Error{ErrorCode::Configuration, "it needs the engine"};
    const Result<bool> registration = registrationOf(context.configuration);
    if (!registration)
        return registration.error();
    _registration = *registration;
    _context = &context;
    return {};
}

Result<void> AccountsPlugin::start(plugin::ExtensionRegistry& registry) noexcept
{
    _store = std::make_unique<AccountStore>(*_context->coordinator, _context->clock, _table);
    if (auto loaded = _store->load(); !loaded)
        return loaded;
    _registry = &registry;
    registry.contribute<http::AuthProvider>("accounts", *this);
    registry.contribute<http::RouteProvider>("accounts", *this);
    return {};
}

Result<void> AccountsPlugin::reload(const config::View& configuration) noexcept
{
    // Whether one may register is decided at the start, but static tokens can come by a reload.
    const Result<bool> registration = registrationOf(configuration);
    if (_registration && !registration)
        return registration.error();
    return {};
}

std::vector<http::Route> AccountsPlugin::routes()
{
    // All plugins have started; no request has come yet.
    _others.clear();
    for (const http::AuthProvider* provider : _registry->all<http::AuthProvider>())
        if (provider != this)
            _others.push_back(provider);
    _routes = std::make_unique<AccountRoutes>(
        Surroundings{*_store, _table, _context->clock, _context->random, _others,
                     [registry = _registry]
                     {
                         for (auto* check : registry->all<http::CredentialCheck>())
                             check->credentialsChanged();
                     }});
    return _routes->routes(_registration);
}

bool AccountsPlugin::isConfigured(std::string_view name) const noexcept
{
    return std::any_of(_others.begin(), _others.end(),
                       [name](const auto* other) { return other->hasAccount(name); });
}

std::optional<http::Identity> AccountsPlugin::authenticate(const Digest& token) const noexcept
{
    const std::optional<StoredAccount> account = _table.findByToken(token);
    if (!account || isConfigured(account->record.name))
        return std::nullopt;
    const backend::PrincipalRecord& record = account->record;
    return http::Identity{record.id, record.name, roleOf(record.role), record.space, token};
}

std::size_t AccountsPlugin::principals() const noexcept
{
    // The configuration has few accounts, the store may have very many.
    std::set<std::string> shadowed;
    for (const http::AuthProvider* other : _others)
        for (const http::Account& account : other->accounts())
            if (_table.hasName(account.name))
                shadowed.insert(toLower(account.name));
    // Read last, because it only grows and one of them may be new.
    return _table.size() - shadowed.size();
}

std::vector<http::Account> AccountsPlugin::accounts() const noexcept
{
    std::vector<http::Account> all;
    for (const backend::PrincipalRecord& record : _table.all())
        if (!isConfigured(record.name))
            all.push_back({record.id, record.name, record.identityClass, roleOf(record.role),
                           record.space, record.createdAt});
    return all;
}

bool AccountsPlugin::hasAccount(std::string_view name) const noexcept
{
    return _table.hasName(name);
}

} // namespace octostore::accounts
