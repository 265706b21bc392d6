// SPDX-License-Identifier: MIT
/// @file
/// What an administrator may do with the server as a whole.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Id.h>
#include <octostore/base/Result.h>
#include <octostore/config/Configuration.h>
#include <octostore/event/Event.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::plugin
{

/// Who wants the configuration to be read again, and why; the journal says so.
struct ReloadOrder
{
    event::Actor actor;
    std::string reason;
    RequestId request;
};

/// Extension point, contributed by the server itself.
/// Thread-safety: thread-safe.
class OCTOSTORE_API ServerControl
{
public:
    static constexpr std::string_view extensionPoint = "server.control/1";
    /// Called once, on another thread; it must not block.
    using Reloaded = std::function<void(Result<void>)>;

    virtual ~ServerControl();
    /// Reads the configuration again, soon. Errors: Configuration, everything is as before;
    /// Draining, the server stops.
    virtual void reload(ReloadOrder order, Reloaded done) noexcept = 0;
    /// Every key and where its value comes from, as of the last reload; secrets are masked.
    virtual std::shared_ptr<const std::vector<config::Entry>> configuration() const noexcept = 0;
};

} // namespace octostore::plugin
