// SPDX-License-Identifier: MIT
/// @file
/// The composition root: backend, engine, plugins, router and transport, in this order.
#pragma once

#include "Administration.h"
#include "DropFigures.h"
#include "LogFigures.h"
#include "ReloadFigures.h"
#include "Settings.h"
#include "Wishes.h"

#include <octostore/backend/Backend.h>
#include <octostore/base/Log.h>
#include <octostore/base/Random.h>
#include <octostore/base/Result.h>
#include <octostore/base/Time.h>
#include <octostore/event/Event.h>
#include <octostore/http/Router.h>
#include <octostore/http/Transport.h>

#include <memory>
#include <string>

namespace octostore::coordination
{
class Coordinator;
class EngineThread;
} // namespace octostore::coordination
namespace octostore::event
{
class Publisher;
}

namespace octostore::program
{

/// Everything is made here and passed down; nothing finds anything by itself.
/// Thread-safety: thread-affine(the program's main thread).
class Server
{
public:
    /// Both must outlive this object.
    Server(Settings& settings, Wishes& wishes);
    /// Calls stop() and destroys the plugins.
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// Serves when it returns. Errors: Configuration, or whatever kept a part from starting; then
    /// nothing runs any more.
    Result<void> start();
    /// Reads the configuration again and lets every part take what can change while running.
    /// Errors: Configuration; everything is as before.
    Result<void> reload();
    /// Answers those who wait, lets open requests end and stops everything in reverse order.
    void stop();

    /// Where it listens: `127.0.0.1:3000`.
    std::string address() const;
    /// Only between start() and stop().
    coordination::Coordinator& coordinator();
    const Clock& clock() const { return _clock; }

private:
    Result<void> openBackend();
    Result<void> startEngine();
    Result<void> startPlugins();
    Result<void> openRouter();
    Result<void> startTransport();
    void announce(event::Type type, event::ResourceKind kind);
    plugin::Context context(const Logger& logger);
    Result<void> readAgain();
    Result<void> take(const config::Configuration& next);
    void logChanges(const config::Configuration& next) const;

    Settings& _settings;
    Wishes& _wishes;
    const Logger _logger;
    SystemClock _clock;
    SystemRandom _random;
    Administration _administration;
    ReloadFigures _reloads;
    LogFigures _logged;
    DropFigures _dropped;

    // In the order in which they are started.
    std::unique_ptr<backend::Backend> _backend;
    std::unique_ptr<event::Publisher> _publisher;
    std::unique_ptr<coordination::EngineThread> _engine;
    bool _pluginsRun = false;
    std::unique_ptr<http::Router> _router;
    http::Transport* _transport = nullptr; // a plugin's; set while it serves
};

} // namespace octostore::program
