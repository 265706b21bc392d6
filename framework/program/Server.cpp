// SPDX-License-Identifier: MIT
#include "Server.h"

#include "Announcer.h"
#include "Logging.h"
#include "ServerParts.h"
#include "coordination/EngineThread.h"
#include "event/Publisher.h"
#include "plugin/Guarded.h"

#include <utility>

namespace octostore::program
{

namespace
{

// Shorter than what a supervisor waits before it kills.
constexpr Milliseconds drainPatience{10'000};

} // namespace

Server::Server(Settings& settings, Wishes& wishes)
    : _settings(settings),
      _wishes(wishes),
      _logger(settings.log().logger("server")),
      _administration(wishes),
      _logged(settings.log())
{
    _administration.show(settings.initial());
    _reloads.count(true, _clock.wallTime());
}

Server::~Server()
{
    stop();
    // Their contexts refer to what this object owns.
    _settings.plugins().clear();
}

Result<void> Server::start()
{
    using Step = Result<void> (Server::*)();
    for (const Step step : {&Server::openBackend, &Server::startEngine, &Server::startPlugins,
                            &Server::openRouter, &Server::startTransport})
    {
        if (auto done = (this->*step)(); !done)
        {
            stop();
            return done;
        }
    }
    _logger.info("serving", {{"address", address()},
                             {"database", _settings.initial().text("storage.database")},
                             {"backend", _settings.initial().text("storage.backend")},
                             {"version", OCTOSTORE_VERSION}});
    return {};
}

plugin::Context Server::context(const Logger& logger)
{
    return {logger,        _settings.initial(), _clock,          _random,
            _engine.get(), _backend.get(),      _publisher.get()};
}

Result<void> Server::openBackend()
{
    const auto factory = startBackend(_settings, context(_settings.log().logger("")));
    if (!factory)
        return factory.error();
    auto opened = plugin::guarded(
        [&]
        {
            return (*factory)->open(
                {_settings.initial(), _clock, _settings.log().logger(_settings.names().backend)});
        });
    if (!opened)
        return opened.error();
    _backend = *std::move(opened);
    return {};
}

Result<void> Server::startEngine()
{
    _engine = std::make_unique<coordination::EngineThread>(
        *_backend, _clock, _random, engineLimits(_settings.initial(), _clock),
        _settings.log().logger("engine"),
        [this](const Error& reason)
        {
            _logger.error("the store is lost; the server stops", {{"reason", reason.message}});
            _wishes.post(Wish::GiveUp);
        });
    _publisher = std::make_unique<event::Publisher>(
        *_backend, _clock, retentionLimits(_settings.initial()), _settings.log().logger("journal"));
    _engine->publishTo(
        [this](std::vector<event::Event> events, std::vector<event::Renewal> renewals)
        { _publisher->publish(std::move(events), std::move(renewals)); });
    if (auto started = _engine->start(); !started)
    {
        _engine.reset();
        return started;
    }
    return {};
}

Result<void> Server::startPlugins()
{
    const std::vector<std::string> group = _settings.names().behindTheEngine();
    plugin::PluginHost& plugins = _settings.plugins();
    _settings.registry().contribute<plugin::PluginStates>("server", plugins);
    _settings.registry().contribute<plugin::ServerControl>("server", _administration);
    _settings.registry().contribute<metrics::Source>("server", _reloads);
    _settings.registry().contribute<metrics::Source>("server", _logged);
    _settings.registry().contribute<metrics::Source>("server", _dropped);
    if (auto configured = plugins.configure(group, context(_settings.log().logger("")));
        !configured)
        return configured;
    _pluginsRun = true;
    if (auto started = plugins.start(group); !started)
        return started;
    for (event::Consumer* consumer : _settings.registry().all<event::Consumer>())
        _publisher->add(*consumer);
    _dropped.watch(*_publisher, _settings.registry().contributors<event::Consumer>());
    return _publisher->start(_engine->loaded(), _engine->restoredAt());
}

Result<void> Server::openRouter()
{
    auto setup = routerSetup(_settings.registry(), _settings.initial(),
                             [&plugins = _settings.plugins()](const std::string& plugin)
                             { plugins.countError(plugin); });
    if (!setup)
        return setup.error();
    auto router = http::Router::open(*std::move(setup), _settings.log().logger("http"), _clock);
    if (!router)
        return router.error();
    _router = *std::move(router);
    _settings.registry().contribute<http::CredentialCheck>("server", *_router);
    return {};
}

Result<void> Server::startTransport()
{
    const std::string wanted = _settings.initial().text("http.transport");
    auto* transport = chosen<http::Transport>(_settings.registry(), wanted);
    if (transport == nullptr)
        return Error{ErrorCode::Configuration, "the plugin " + _settings.names().transport +
                                                   " has no transport \"" + wanted + "\""};
    const auto options = transportOptions(_settings.initial());
    if (auto started = transport->start(options, *_router, _clock, _random); !started)
        return started;
    _transport = transport;
    announce(event::Type::ServerStarted, event::ResourceKind::Server);
    return {};
}

Result<void> Server::reload()
{
    const std::vector<Administration::Pending> asked = _administration.takeReloads();
    Result<void> done = readAgain();
    _reloads.count(done.ok(), _clock.wallTime());
    if (done && asked.empty())
        announce(event::Type::ConfigReloaded, event::ResourceKind::Config);
    for (const Administration::Pending& one : asked)
    {
        if (done)
            Announcer(*_engine, _clock)
                .announce(event::Type::ConfigReloaded, event::ResourceKind::Config,
                          OCTOSTORE_VERSION, one.order);
        one.done(done);
    }
    return done;
}

Result<void> Server::readAgain()
{
    auto read = _settings.readAgain();
    for (const config::Problem& warning : read.warnings)
        _logger.warning(warning.toString());
    if (!read.problems.empty())
    {
        return Error{
            ErrorCode::Configuration,
            read.problems.front().toString() +
                (read.problems.size() > 1 ? " (and more; see octostore config check)" : "")};
    }
    const config::Configuration& next = *read.configuration;
    if (auto taken = take(next); !taken)
        return taken;
    _settings.log().setLevel(logLevelOf(next));
    _engine->setLimits(engineLimits(next, _clock));
    logChanges(next);
    _administration.show(next);
    _settings.adopt(std::move(read.configuration));
    return {};
}

/// The plugins and the router; on an error they have what they had.
Result<void> Server::take(const config::Configuration& next)
{
    plugin::PluginHost& plugins = _settings.plugins();
    const config::Configuration& current = _settings.current();
    if (auto taken = plugins.reload(next, current); !taken)
        return taken;
    const auto adminKey = adminKeyOf(_settings.registry(), next);
    if (adminKey)
    {
        _router->setAdminKey(*adminKey);
        return {};
    }
    if (auto restored = plugins.reload(current, next); !restored)
        _logger.error("the old configuration could not be restored",
                      {{"reason", restored.error().message}});
    return adminKey.error();
}

void Server::logChanges(const config::Configuration& next) const
{
    for (const std::string& key : next.changedFrom(_settings.current()))
    {
        const config::Key* row = _settings.keys().find(key);
        const bool now = row != nullptr && row->reload == config::Reload::Hot;
        _logger.info(now ? "a key has changed" : "a key has changed; it counts from the next start",
                     {{"key", key}});
    }
}

void Server::stop()
{
    plugin::PluginHost& plugins = _settings.plugins();
    _administration.close();
    if (_transport != nullptr)
        _transport->drain();
    if (_engine != nullptr)
        _engine->drain();
    if (_pluginsRun)
        plugins.drain();
    if (_transport != nullptr)
    {
        std::exchange(_transport, nullptr)->stop(drainPatience);
        announce(event::Type::ServerStopped, event::ResourceKind::Server);
    }
    // Consumers see the last event before their plugins stop.
    if (_publisher != nullptr)
        _publisher->stop();
    // The backend's plugin stays until its backend has stopped.
    if (std::exchange(_pluginsRun, false))
        plugins.stop();
    _router.reset();
    if (_engine != nullptr)
        _engine->stop();
    plugins.stop();
}

void Server::announce(event::Type type, event::ResourceKind kind)
{
    Announcer(*_engine, _clock).announce(type, kind, OCTOSTORE_VERSION);
}

coordination::Coordinator& Server::coordinator()
{
    return *_engine;
}

std::string Server::address() const
{
    std::string bind = _settings.initial().text("server.bind");
    if (_transport == nullptr || bind.compare(0, 5, "unix:") == 0)
        return bind;
    return bind.substr(0, bind.rfind(':')) + ":" + std::to_string(_transport->port());
}

} // namespace octostore::program
