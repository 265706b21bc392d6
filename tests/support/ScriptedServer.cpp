// SPDX-License-Identifier: MIT
#include "ScriptedServer.h"

#include "Loopback.h"

#include <octostore/base/Text.h>

#include <algorithm>
#include <array>
#include <optional>
#include <thread>
#include <utility>

#include <sys/socket.h>

namespace octostore::test
{

namespace
{

/// One request; nothing when the connection has ended. `buffer` keeps what came behind it.
std::optional<SeenRequest> readRequest(int socket, std::string& buffer)
{
    const auto more = [&]
    {
        std::array<char, 4096> piece{};
        const ssize_t got = ::recv(socket, piece.data(), piece.size(), 0);
        if (got > 0)
            buffer.append(piece.data(), static_cast<std::size_t>(got));
        return got > 0;
    };
    std::size_t end = buffer.find("\r\n\r\n");
    while (end == std::string::npos)
    {
        if (!more())
            return std::nullopt;
        end = buffer.find("\r\n\r\n");
    }
    SeenRequest request;
    const std::size_t firstEnd = buffer.find("\r\n");
    const std::string first = buffer.substr(0, firstEnd);
    request.method = first.substr(0, first.find(' '));
    request.path = first.substr(request.method.size() + 1);
    request.path.resize(std::min(request.path.find(' '), request.path.size()));
    for (std::size_t at = firstEnd + 2; at < end;)
    {
        const std::size_t lineEnd = buffer.find("\r\n", at);
        const std::string line = buffer.substr(at, lineEnd - at);
        const std::size_t colon = line.find(':');
        request.headers[toLower(line.substr(0, colon))] =
            std::string(trim(std::string_view(line).substr(colon + 1)));
        at = lineEnd + 2;
    }
    buffer.erase(0, end + 4);
    std::size_t length = 0;
    if (const auto found = request.headers.find("content-length"); found != request.headers.end())
        length = std::stoul(found->second);
    while (buffer.size() < length)
        if (!more())
            return std::nullopt;
    request.body = buffer.substr(0, length);
    buffer.erase(0, length);
    return request;
}

std::string render(const ScriptedReply& reply)
{
    if (!reply.raw.empty())
        return reply.raw;
    std::string text = "HTTP/1.1 " + std::to_string(reply.status) + " Scripted\r\n";
    for (const std::string& header : reply.headers)
        text += header + "\r\n";
    text += "Content-Length: " + std::to_string(reply.body.size()) + "\r\n\r\n" + reply.body;
    return text;
}

} // namespace

ScriptedReply jsonReply(std::string body, int status)
{
    ScriptedReply reply;
    reply.status = status;
    reply.body = std::move(body);
    reply.headers = {"Content-Type: application/json"};
    return reply;
}

ScriptedReply errorReply(int status, const std::string& code, const std::string& more)
{
    return jsonReply("{\"code\":\"" + code + "\",\"details\":\"\",\"error\":\"scripted\"," +
                         "\"request_id\":\"req_0123456789abcdef0123456789abcdef\"" +
                         (more.empty() ? "" : "," + more) + "}",
                     status);
}

ScriptedServer::ScriptedServer(Handler handler)
    : _handler(std::move(handler)),
      _host([this](int socket, std::size_t number) { serve(socket, number); })
{
}

std::vector<SeenRequest> ScriptedServer::requests() const
{
    MutexLock lock(_mutex);
    return _requests;
}

std::size_t ScriptedServer::count(const std::string& method, const std::string& path) const
{
    const auto all = requests();
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(),
                                                  [&](const SeenRequest& request) {
                                                      return request.method == method &&
                                                             request.path == path;
                                                  }));
}

bool ScriptedServer::waitFor(const std::string& method, const std::string& path,
                             Milliseconds timeout)
{
    const auto end = std::chrono::steady_clock::now() + timeout;
    while (count(method, path) == 0)
    {
        MutexLock lock(_mutex);
        constexpr Milliseconds step{50};
        lock.waitFor(_seen, step);
        if (std::chrono::steady_clock::now() > end)
            return false;
    }
    return true;
}

void ScriptedServer::setHandler(Handler handler)
{
    MutexLock lock(_handlerMutex);
    _handler = std::move(handler);
}

void ScriptedServer::serve(int socket, std::size_t number)
{
    std::string buffer;
    while (auto request = readRequest(socket, buffer))
    {
        request->connection = number;
        {
            MutexLock lock(_mutex);
            _requests.push_back(*request);
            _seen.notify_all();
        }
        if (!answer(socket, *request))
            break;
    }
    ::shutdown(socket, SHUT_RDWR);
}

bool ScriptedServer::answer(int socket, const SeenRequest& request)
{
    ScriptedReply reply;
    {
        MutexLock lock(_handlerMutex);
        reply = _handler(request);
    }
    if (reply.delay.count() > 0)
        std::this_thread::sleep_for(reply.delay);
    if (reply.hang)
        return true;
    return sendAll(socket, render(reply)) && !reply.close;
}

} // namespace octostore::test
