// SPDX-License-Identifier: MIT
/// @file
/// What a plugin is, what it is given, and where it adds to the server.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Log.h>
#include <octostore/base/Random.h>
#include <octostore/base/Result.h>
#include <octostore/base/Time.h>
#include <octostore/config/Config.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::backend
{
class Backend;
}
namespace octostore::coordination
{
class Coordinator;
}
namespace octostore::event
{
class Journal;
}

namespace octostore::plugin
{

/// What the server gives a plugin; all of it outlives the plugin.
struct Context
{
    Logger logger;
    const config::View& configuration;
    const Clock& clock;
    Random& random;
    /// Null while backends are being opened (a backend's plugin gets no coordinator).
    coordination::Coordinator* coordinator = nullptr;
    backend::Backend* backend = nullptr;
    event::Journal* journal = nullptr;
};

/// Named contributions to extension points. An extension point is an interface with a
/// `static constexpr std::string_view extensionPoint` ("http.routes/1"); a released id never
/// changes its meaning. Thread-safety: thread-compatible; filled while plugins start.
class OCTOSTORE_API ExtensionRegistry
{
public:
    struct Entry
    {
        std::string plugin;
        void* extension;
    };

    /// `extension` must live until the plugin is destroyed. T is the extension point's interface,
    /// not the class that implements it: contribute<http::RouteProvider>("health", _routes).
    template <class T>
    void contribute(std::string_view plugin, T& extension)
    {
        static_assert(std::is_abstract_v<T>, "name the interface: contribute<Interface>(...)");
        add(T::extensionPoint, plugin, &extension);
    }
    /// In the order in which plugins started.
    template <class T>
    std::vector<T*> all() const
    {
        std::vector<T*> found;
        for (const Entry& entry : entries(T::extensionPoint))
            found.push_back(static_cast<T*>(entry.extension));
        return found;
    }

    /// Who contributed to the extension point T, once for each contribution, in the same order.
    template <class T>
    std::vector<std::string> contributors() const
    {
        std::vector<std::string> found;
        for (const Entry& entry : entries(T::extensionPoint))
            found.push_back(entry.plugin);
        return found;
    }

private:
    void add(std::string_view point, std::string_view plugin, void* extension);
    const std::vector<Entry>& entries(std::string_view point) const;

    std::map<std::string, std::vector<Entry>, std::less<>> _points;
};

/// Life: described, configured, started, stopped; in dependency order, stopped in reverse. No
/// member is called on the engine's thread.
class OCTOSTORE_API Plugin
{
public:
    Plugin();
    virtual ~Plugin();
    Plugin(const Plugin&) = delete;
    Plugin& operator=(const Plugin&) = delete;

    /// The configuration keys it reads, beside the server's own. Asked before configure(): what no
    /// plugin declares is refused as unknown.
    virtual std::vector<config::Key> keys() const;
    /// Every mistake, each a line `key: message` (Mistakes.h); any of them prevents the start.
    virtual Result<void> check(const config::View& configuration) const noexcept;
    /// Validates only: no thread, no I/O. `context` outlives the plugin.
    /// Errors: Configuration; the plugin is not started.
    virtual Result<void> configure(const Context& context) noexcept = 0;
    /// Contributes to the registry. Errors: any; the plugin counts as failed.
    virtual Result<void> start(ExtensionRegistry& registry) noexcept = 0;
    /// Takes what can change while running from `configuration`. Errors: Configuration, or any
    /// other; the plugin then keeps all its values, and those that took theirs already are called
    /// again with the configuration before.
    virtual Result<void> reload(const config::View& configuration) noexcept;
    /// The server is about to stop: ends streams and answers those who wait. Requests still come.
    virtual void drain() noexcept;
    /// No thread of the plugin runs afterwards. Called only after a good start().
    virtual void stop() noexcept = 0;
};

/// Extension point: may say that the server is not alive or not ready.
/// Thread-safety: thread-safe; answers at once.
class OCTOSTORE_API HealthCheck
{
public:
    static constexpr std::string_view extensionPoint = "health.check/1";
    virtual ~HealthCheck();
    virtual std::string_view name() const noexcept = 0;
    /// An error says what fails.
    virtual Result<void> ready() const noexcept = 0;
    /// Whether failing also means that only a restart helps.
    virtual Result<void> live() const noexcept { return {}; }
};

} // namespace octostore::plugin
