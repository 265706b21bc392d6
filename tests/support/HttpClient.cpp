// SPDX-License-Identifier: MIT
#include "HttpClient.h"

#include "SeenAnswers.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace octostore::test
{

namespace
{

template <class Address>
int connectTo(int family, const Address& address)
{
    const int socket = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
        return socket;
    ::close(socket);
    return -1;
}

HttpResponse readHead(const std::string& head)
{
    HttpResponse response;
    if (head.size() > 12)
        response.status = std::stoi(head.substr(9, 3));
    std::size_t at = head.find("\r\n") + 2;
    while (at < head.size())
    {
        const std::size_t end = std::min(head.find("\r\n", at), head.size());
        const std::size_t colon = head.find(": ", at);
        if (colon < end)
        {
            std::string name = head.substr(at, colon - at);
            std::transform(name.begin(), name.end(), name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
            response.headers[name] = head.substr(colon + 2, end - colon - 2);
        }
        at = end + 2;
    }
    return response;
}

} // namespace

HttpClient::HttpClient(std::uint16_t port)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    _socket = connectTo(AF_INET, address);
}

HttpClient HttpClient::ipv6(std::uint16_t port)
{
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_port = htons(port);
    address.sin6_addr = in6addr_loopback;
    HttpClient client;
    client._socket = connectTo(AF_INET6, address);
    return client;
}

HttpClient HttpClient::local(const std::string& path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    HttpClient client;
    client._socket = connectTo(AF_UNIX, address);
    return client;
}

HttpClient::HttpClient(HttpClient&& other) noexcept
    : patience(other.patience),
      noted(other.noted),
      _socket(std::exchange(other._socket, -1)),
      _buffer(std::move(other._buffer)),
      _asked(std::move(other._asked))
{
}

HttpClient::~HttpClient()
{
    close();
}

bool HttpClient::send(std::string_view bytes)
{
    while (!bytes.empty())
    {
        const ssize_t count = ::send(_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count <= 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

bool HttpClient::get(std::string_view target, std::string_view headers)
{
    if (noted)
        _asked.push_back({"GET", std::string(target), {}, false});
    return send("GET " + std::string(target) + " HTTP/1.1\r\nHost: test\r\n" +
                std::string(headers) + "\r\n");
}

bool HttpClient::post(std::string_view target, std::string_view body, std::string_view headers)
{
    if (noted)
        _asked.push_back({"POST", std::string(target), {}, false});
    return send("POST " + std::string(target) +
                " HTTP/1.1\r\nHost: test\r\nContent-Length: " + std::to_string(body.size()) +
                "\r\n" + std::string(headers) + "\r\n" + std::string(body));
}

HttpClient::Arrived HttpClient::more(std::chrono::milliseconds time)
{
    pollfd polled{_socket, POLLIN, 0};
    if (_socket < 0 || ::poll(&polled, 1, static_cast<int>(time.count())) <= 0)
        return Arrived::Nothing;
    std::array<char, 16384> bytes{};
    const ssize_t count = ::recv(_socket, bytes.data(), bytes.size(), 0);
    if (count <= 0)
        return Arrived::End;
    _buffer.append(bytes.data(), static_cast<std::size_t>(count));
    return Arrived::Bytes;
}

std::optional<std::string> HttpClient::takeUntil(std::string_view end)
{
    while (true)
    {
        const std::size_t at = _buffer.find(end);
        if (at != std::string::npos)
        {
            std::string taken = _buffer.substr(0, at);
            _buffer.erase(0, at + end.size());
            return taken;
        }
        if (more(patience) != Arrived::Bytes)
            return std::nullopt;
    }
}

std::optional<std::string> HttpClient::takeBytes(std::size_t count)
{
    while (_buffer.size() < count)
    {
        if (more(patience) != Arrived::Bytes)
            return std::nullopt;
    }
    std::string taken = _buffer.substr(0, count);
    _buffer.erase(0, count);
    return taken;
}

std::optional<HttpResponse> HttpClient::receiveHead()
{
    const auto head = takeUntil("\r\n\r\n");
    if (!head)
        return std::nullopt;
    HttpResponse answer = readHead(*head);
    if (!_asked.empty())
        _asked.front().streams = answer.header("content-type") == "text/event-stream";
    return answer;
}

void HttpClient::note(const HttpResponse& answer)
{
    // Streams are noted frame by frame.
    if (_asked.empty() || _asked.front().streams || answer.status / 100 == 1)
        return;
    const Asked asked = std::move(_asked.front());
    _asked.pop_front();
    SeenAnswers::ofThisProcess().note(
        {asked.method, asked.target, answer.status, answer.header("content-type"), answer.body});
}

std::optional<HttpResponse> HttpClient::receive(bool head)
{
    auto response = receiveHead();
    if (!response || head)
        return response;
    return receiveRest(*std::move(response));
}

std::optional<HttpResponse> HttpClient::receiveRest(HttpResponse response)
{
    const bool empty =
        response.status == 204 || response.status == 304 || response.status / 100 == 1;
    const std::string length = response.header("content-length");
    std::optional<std::string> body;
    if (empty)
        body = std::string();
    else if (response.header("transfer-encoding") == "chunked")
        body = readChunks();
    else
        body = length.empty() ? readToEnd() : takeBytes(std::stoul(length));
    if (!body)
        return std::nullopt;
    response.body = std::move(*body);
    note(response);
    return response;
}

std::optional<std::string> HttpClient::readChunks()
{
    std::string all;
    while (auto chunk = readChunk())
    {
        if (chunk->empty())
            return all;
        all += *chunk;
    }
    return std::nullopt;
}

std::optional<std::string> HttpClient::readChunk()
{
    const auto size = takeUntil("\r\n");
    if (!size)
        return std::nullopt;
    auto chunk = takeBytes(std::stoul(*size, nullptr, 16));
    if (!chunk || takeBytes(2) != "\r\n")
        return std::nullopt;
    if (!_asked.empty() && _asked.front().streams)
    {
        Asked& asked = _asked.front();
        asked.frames += *chunk;
        SeenAnswers::ofThisProcess().noteFrames(asked.method, asked.target, asked.frames);
    }
    return chunk;
}

std::optional<std::string> HttpClient::readToEnd()
{
    while (true)
    {
        switch (more(patience))
        {
        case Arrived::Bytes:
            break;
        case Arrived::End:
            return std::exchange(_buffer, {});
        case Arrived::Nothing:
            return std::nullopt;
        }
    }
}

bool HttpClient::closedByServer()
{
    return _buffer.empty() && more(patience) == Arrived::End;
}

bool HttpClient::silentFor(std::chrono::milliseconds time)
{
    return _buffer.empty() && more(time) == Arrived::Nothing;
}

void HttpClient::finishSending()
{
    ::shutdown(_socket, SHUT_WR);
}

void HttpClient::close()
{
    if (_socket >= 0)
        ::close(std::exchange(_socket, -1));
}

void HttpClient::reset()
{
    const linger now{1, 0};
    ::setsockopt(_socket, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close();
}

void HttpClient::shrinkReceiveBuffer()
{
    const int size = 1;
    ::setsockopt(_socket, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
}

} // namespace octostore::test
