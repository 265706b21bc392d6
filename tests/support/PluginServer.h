// SPDX-License-Identifier: MIT
/// @file
/// Every plugin there is, loaded as the server does it, on an engine that obeys the test.
#pragma once

#include "InProcessServer.h"
#include "MemoryBackend.h"
#include "TemporaryDirectory.h"
#include "event/Publisher.h"
#include "plugin/PluginHost.h"

#include <octostore/config/Configuration.h>

#include <memory>
#include <string>
#include <vector>

namespace octostore::test
{

/// Serves every route there can be, without sockets; transports and stores are loaded and not
/// used. What is committed is not published. Thread-safety: thread-compatible.
class PluginServer
{
public:
    /// `more`: `key=value` beside what every such server has. Fails the test when a plugin with a
    /// filter or routes does not start. The server is not open yet.
    explicit PluginServer(const std::vector<std::string>& more = {});
    ~PluginServer();

    InProcessServer& server() { return _server; }
    /// As the program does when it stops: streams end, and who asks is told so.
    void drain();

private:
    void configure(const std::vector<std::string>& more);

    InProcessServer _server;
    TemporaryDirectory _directory;
    memory::MemoryBackend _backend;
    event::Publisher _journal{_backend, _server.clock(), {}, Logger()};
    plugin::PluginHost _plugins;
    std::unique_ptr<config::Configuration> _configuration;
    std::vector<std::string> _names;
};

} // namespace octostore::test
