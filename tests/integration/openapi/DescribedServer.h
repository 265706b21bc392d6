// SPDX-License-Identifier: MIT
/// @file
/// The real program as the tests of its description need it.
#pragma once

#include "support/HttpClient.h"
#include "support/ServerProcess.h"
#include "support/TemporaryDirectory.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace octostore::test
{

/// Thread-safety: thread-compatible.
class DescribedServer
{
public:
    static constexpr const char* adminKey = "the-admin-key";

    /// Waits until it serves. `more`: keys beside those every such server has.
    explicit DescribedServer(const ServerProcess::Properties& more = {});

    /// Ends it and starts it again as it was; one of its files is lost meanwhile.
    void restartWithout(const std::string& name);

    std::uint16_t port() const noexcept { return _port; }
    pid_t pid() const noexcept { return _server->pid(); }
    std::string file(const std::string& name) const { return _directory.file(name); }
    /// The answer; of one without an end, its head. Nothing when the server does not answer. Who
    /// asks for a lease and is told that there is too much to do, asks again: it stood still.
    std::optional<HttpResponse> send(const std::string& request);
    /// As send(); the answer may have no end and the connection stays, as long as `client` lives.
    static std::optional<HttpResponse> sendOn(HttpClient& client, const std::string& request);

private:
    void start();
    std::optional<HttpResponse> sendOnce(const std::string& request);

    TemporaryDirectory _directory;
    const ServerProcess::Properties _properties;
    std::unique_ptr<ServerProcess> _server;
    std::uint16_t _port = 0;
    std::unique_ptr<HttpClient> _client;
};

} // namespace octostore::test
