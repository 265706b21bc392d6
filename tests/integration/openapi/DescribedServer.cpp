// SPDX-License-Identifier: MIT
#include "DescribedServer.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>

#include <signal.h>

namespace octostore::test
{

namespace
{

ServerProcess::Properties propertiesWith(const ServerProcess::Properties& more)
{
    ServerProcess::Properties all{{"auth.admin_key", DescribedServer::adminKey},
                                  {"elections.requests_per_minute", "1000000"}};
    for (const auto& [key, value] : more)
        all[key] = value;
    return all;
}

bool isEndless(const HttpResponse& head)
{
    const std::string type = head.header("content-type");
    return type == "text/event-stream" || type == "application/vnd.sqlite3";
}

bool isOverloaded(const HttpResponse& answer)
{
    return answer.status == 503 &&
           answer.body.find("\"reason\":\"overloaded\"") != std::string::npos;
}

} // namespace

DescribedServer::DescribedServer(const ServerProcess::Properties& more)
    : _properties(propertiesWith(more))
{
    start();
}

void DescribedServer::restartWithout(const std::string& name)
{
    _client.reset();
    _server->signal(SIGTERM);
    _server->waitForEnd();
    EXPECT_TRUE(std::filesystem::remove(file(name)));
    start();
}

void DescribedServer::start()
{
    _server = std::make_unique<ServerProcess>(_directory.path(), _properties);
    const auto port = _server->port();
    EXPECT_TRUE(port) << port.error().message;
    _port = port ? *port : std::uint16_t{0};
}

std::optional<HttpResponse> DescribedServer::sendOn(HttpClient& client, const std::string& request)
{
    client.patience = std::chrono::seconds(60); // a guard against hangs
    if (!client.send(request))
        return std::nullopt;
    auto answer = client.receiveHead();
    if (!answer || isEndless(*answer))
        return answer;
    return client.receiveRest(*std::move(answer));
}

std::optional<HttpResponse> DescribedServer::send(const std::string& request)
{
    const std::string line = request.substr(0, request.find('\r'));
    const bool acquires =
        line.find("/acquire ") != line.npos || line.find("/campaign ") != line.npos;
    auto answer = sendOnce(request);
    for (int tries = 1; tries < 3'000 && acquires && answer && isOverloaded(*answer); ++tries)
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        answer = sendOnce(request);
    }
    return answer;
}

std::optional<HttpResponse> DescribedServer::sendOnce(const std::string& request)
{
    if (_client == nullptr)
        _client = std::make_unique<HttpClient>(_port);
    auto answer = sendOn(*_client, request);
    if (!answer || isEndless(*answer) || answer->header("connection") == "close")
        _client.reset();
    return answer;
}

} // namespace octostore::test
