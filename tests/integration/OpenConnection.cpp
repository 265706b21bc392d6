// SPDX-License-Identifier: MIT
#include "OpenConnection.h"

#include <octostore/base/Text.h>

#include <Poco/Exception.h>
#include <Poco/Net/SocketAddress.h>
#include <Poco/Net/StreamSocket.h>

#include <array>
#include <sstream>

#include <poll.h>

namespace octostore::test
{

namespace
{

std::string headOf(const std::string& target, const std::string& authorization, std::size_t size)
{
    std::string head = "POST " + target + " HTTP/1.1\r\nHost: octostore\r\n";
    if (!authorization.empty())
        head += "Authorization: " + authorization + "\r\n";
    return head + "Content-Type: application/json\r\nContent-Length: " + std::to_string(size) +
           "\r\n";
}

/// Status and headers, from text that ends before the empty line.
ServerAnswer parseHead(const std::string& head)
{
    ServerAnswer answer;
    std::istringstream lines(head);
    std::string version;
    lines >> version >> answer.status;
    std::string line;
    for (std::getline(lines, line); std::getline(lines, line);)
    {
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        const std::size_t colon = line.find(':');
        if (colon == line.npos)
            continue;
        const std::size_t value = line.find_first_not_of(' ', colon + 1);
        answer.headers[toLower(line.substr(0, colon))] =
            value == line.npos ? std::string() : line.substr(value);
    }
    return answer;
}

} // namespace

class OpenConnection::Socket : public Poco::Net::StreamSocket
{
public:
    int descriptor() const { return impl()->sockfd(); }
};

OpenConnection::OpenConnection(std::uint16_t port, std::string_view token)
    : _socket(std::make_unique<Socket>()),
      _authorization(token.empty() ? std::string() : "Bearer " + std::string(token))
{
    try
    {
        _socket->connect(Poco::Net::SocketAddress("127.0.0.1", port));
        _socket->setNoDelay(true);
    }
    catch (const Poco::Exception&)
    {
        _socket->close();
    }
}

OpenConnection::~OpenConnection() = default;

void OpenConnection::ask(const std::string& target, const std::string& body)
{
    send(headOf(target, _authorization, body.size()) + "\r\n" + body);
}

void OpenConnection::begin(const std::string& target, std::size_t bodySize)
{
    send(headOf(target, _authorization, bodySize) + "Expect: 100-continue\r\n\r\n");
}

void OpenConnection::send(const std::string& bytes)
{
    try
    {
        for (std::size_t sent = 0; sent < bytes.size();)
            sent += static_cast<std::size_t>(
                _socket->sendBytes(bytes.data() + sent, static_cast<int>(bytes.size() - sent)));
    }
    catch (const Poco::Exception&)
    {
        // The server has ended the connection; what it said before can still be read.
    }
}

bool OpenConnection::readable(std::chrono::milliseconds atMost) const
{
    pollfd watched{_socket->descriptor(), POLLIN, 0};
    return poll(&watched, 1, static_cast<int>(atMost.count())) > 0;
}

std::optional<std::size_t>
OpenConnection::firstReadable(const std::vector<std::unique_ptr<OpenConnection>>& connections)
{
    std::vector<pollfd> watched;
    for (const auto& connection : connections)
        watched.push_back({connection->_socket->descriptor(), POLLIN, 0});
    const std::chrono::milliseconds atMost = patience;
    if (poll(watched.data(), watched.size(), static_cast<int>(atMost.count())) <= 0)
        return std::nullopt;
    for (std::size_t i = 0; i < watched.size(); ++i)
    {
        if (watched[i].revents != 0)
            return i;
    }
    return std::nullopt;
}

/// False: nothing more comes.
bool OpenConnection::receive()
{
    try
    {
        std::array<char, 16384> buffer;
        if (!readable(patience))
            return false;
        const int count = _socket->receiveBytes(buffer.data(), static_cast<int>(buffer.size()));
        if (count <= 0)
            return false;
        _received.append(buffer.data(), static_cast<std::size_t>(count));
        return true;
    }
    catch (const Poco::Exception&)
    {
        return false;
    }
}

std::optional<ServerAnswer> OpenConnection::takeAnswer()
{
    const std::size_t end = _received.find("\r\n\r\n");
    if (end == _received.npos)
        return std::nullopt;
    ServerAnswer answer = parseHead(_received.substr(0, end));
    const auto length = answer.headers.find("content-length");
    const std::size_t size = length == answer.headers.end() ? 0 : std::stoul(length->second);
    if (_received.size() < end + 4 + size)
        return std::nullopt;
    answer.body = _received.substr(end + 4, size);
    _received.erase(0, end + 4 + size);
    return answer;
}

std::optional<ServerAnswer> OpenConnection::answer()
{
    while (true)
    {
        if (auto answer = takeAnswer())
            return answer;
        if (!receive())
            return std::nullopt;
    }
}

bool OpenConnection::leave()
{
    try
    {
        _socket->shutdownSend();
    }
    catch (const Poco::Exception&)
    {
        return false;
    }
    while (readable(patience))
    {
        if (!receive())
            return true;
    }
    return false;
}

} // namespace octostore::test
