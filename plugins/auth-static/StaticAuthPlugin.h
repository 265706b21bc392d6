// SPDX-License-Identifier: MIT
/// @file
/// Lets the holders of configured tokens in.
#pragma once

#include "TokenTable.h"

#include <octostore/base/Log.h>
#include <octostore/base/Mutex.h>
#include <octostore/http/Identity.h>
#include <octostore/plugin/Plugin.h>

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace octostore::auth
{

/// The configured tokens are the truth: one that is removed stops working at the next reload.
/// Thread-safety: thread-affine(the program's main thread), but authenticate(): any thread.
class StaticAuthPlugin final : public plugin::Plugin, public http::AuthProvider
{
public:
    Result<void> check(const config::View& configuration) const noexcept override;
    Result<void> configure(const plugin::Context& context) noexcept override;
    Result<void> start(plugin::ExtensionRegistry& registry) noexcept override;
    Result<void> reload(const config::View& configuration) noexcept override;
    void stop() noexcept override {}

    std::optional<http::Identity> authenticate(const Digest& token) const noexcept override
        OCTOSTORE_EXCLUDES(_mutex);
    std::size_t principals() const noexcept override { return table()->size(); }
    std::vector<http::Account> accounts() const noexcept override { return table()->accounts(); }
    bool hasAccount(std::string_view name) const noexcept override
    {
        return table()->hasName(name);
    }

private:
    std::shared_ptr<const TokenTable> table() const OCTOSTORE_EXCLUDES(_mutex);

    Logger _logger;
    mutable Mutex _mutex;
    std::shared_ptr<const TokenTable>
        _table OCTOSTORE_GUARDED_BY(_mutex) = std::make_shared<const TokenTable>();
};

} // namespace octostore::auth
