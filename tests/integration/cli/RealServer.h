// SPDX-License-Identifier: MIT
/// @file
/// The real server behind an address that stays the same when it is started again.
#pragma once

#include "HostileProxy.h"
#include "support/ServerProcess.h"

#include <octostore/base/Assert.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <string>

namespace octostore::test
{

/// Thread-safety: thread-compatible.
class RealServer
{
public:
    /// Its files are in `directory`, which must be there.
    explicit RealServer(std::filesystem::path directory, std::string bind = "127.0.0.1:0")
        : _directory(std::move(directory)), _bind(std::move(bind))
    {
        start();
        _proxy = std::make_unique<HostileProxy>(port());
    }

    HostileProxy& proxy() { return *_proxy; }
    /// Through the proxy.
    std::string url() const { return _proxy->url(); }
    void signal(int number) const { _server->signal(number); }
    void kill()
    {
        _server->signal(SIGKILL);
        _server->waitForEnd();
    }
    void startAgain()
    {
        start();
        _proxy->setTarget(port());
    }

    std::uint16_t port()
    {
        const auto port = _server->port();
        OCTOSTORE_ASSERT(port.ok());
        return *port;
    }

private:
    void start()
    {
        _server = std::make_unique<ServerProcess>(
            _directory, ServerProcess::Properties{{"elections.requests_per_minute", "1000000"},
                                                  {"server.bind", _bind}});
    }
    const std::filesystem::path _directory;
    const std::string _bind;
    std::unique_ptr<ServerProcess> _server;
    std::unique_ptr<HostileProxy> _proxy;
};

} // namespace octostore::test
