// SPDX-License-Identifier: MIT
#include <octostore/base/Text.h>
#include <octostore/client/ServerUrl.h>

#include <Poco/Net/IPAddress.h>

#include <algorithm>
#include <charconv>

#include <sys/un.h>

namespace octostore::client
{

namespace
{

constexpr std::string_view unixPrefix = "unix:";
constexpr std::uint16_t httpPort = 80;
constexpr std::uint16_t httpsPort = 443;

Error invalid(std::string_view url, const std::string& why)
{
    return {ErrorCode::InvalidInput, "the server URL \"" + std::string(url) + "\" " + why};
}

bool isNameCharacter(char c) noexcept
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
}

bool isUnreserved(char c) noexcept
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.' || c == '~';
}

struct HostAndPort
{
    std::string_view host;
    std::string_view port; ///< empty: none
    bool bracketed = false;
};

/// Nothing when brackets do not match.
std::optional<HostAndPort> split(std::string_view authority)
{
    HostAndPort result;
    std::size_t colon = authority.rfind(':');
    if (!authority.empty() && authority.front() == '[')
    {
        const std::size_t close = authority.find(']');
        if (close == std::string_view::npos)
            return std::nullopt;
        result.host = authority.substr(1, close - 1);
        result.bracketed = true;
        const std::string_view rest = authority.substr(close + 1);
        if (!rest.empty() && (rest.front() != ':' || rest.size() == 1))
            return std::nullopt;
        result.port = rest.empty() ? rest : rest.substr(1);
        return result;
    }
    result.host = authority.substr(0, colon);
    if (colon == std::string_view::npos)
        return result;
    result.port = authority.substr(colon + 1);
    return result.port.empty() ? std::nullopt : std::optional(result);
}

bool isHost(const HostAndPort& parts)
{
    Poco::Net::IPAddress address;
    if (parts.bracketed)
        return Poco::Net::IPAddress::tryParse(std::string(parts.host), address) &&
               address.family() == Poco::Net::IPAddress::IPv6;
    return !parts.host.empty() && parts.host.size() <= 253 &&
           std::all_of(parts.host.begin(), parts.host.end(), isNameCharacter);
}

std::optional<std::uint16_t> readPort(std::string_view text)
{
    std::uint16_t port = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, fault] = std::from_chars(text.data(), end, port);
    if (fault != std::errc() || rest != end || port == 0)
        return std::nullopt;
    return port;
}

bool isPathCharacter(char c) noexcept
{
    return c > ' ' && c < 0x7f && c != '"' && c != '<' && c != '>' && c != '\\';
}

} // namespace

Result<ServerUrl> ServerUrl::parseSocket(std::string_view text)
{
    ServerUrl url;
    url._socketPath = text.substr(unixPrefix.size());
    url._host = "localhost";
    url._port = httpPort;
    if (url._socketPath.size() < 2 || url._socketPath.front() != '/')
        return invalid(text, "must have an absolute path: unix:/PATH");
    if (url._socketPath.size() >= sizeof(sockaddr_un::sun_path))
        return invalid(text, "has a path that is too long for a socket");
    if (!std::all_of(url._socketPath.begin(), url._socketPath.end(), isPathCharacter))
        return invalid(text, "has no valid path");
    return url;
}

Result<ServerUrl> ServerUrl::parse(std::string_view text)
{
    if (text.substr(0, unixPrefix.size()) == unixPrefix)
        return parseSocket(text);
    const std::size_t colon = text.find("://");
    const std::string scheme = toLower(text.substr(0, colon));
    if (colon == std::string_view::npos || (scheme != "http" && scheme != "https"))
        return invalid(text, "must start with http://, https:// or unix:/");
    const std::string_view rest = text.substr(colon + 3);
    if (rest.find_first_of("?#") != std::string_view::npos)
        return invalid(text, "must have no query and no fragment");
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    const std::string authority = toLower(rest.substr(0, slash));
    if (authority.find('@') != std::string::npos)
        return invalid("...", "must have no user and no password in it");
    const auto parts = split(authority);
    if (!parts || !isHost(*parts))
        return invalid(text, "has no valid host");

    ServerUrl url;
    url._secure = scheme == "https";
    url._host = std::string(parts->host);
    url._port = url._secure ? httpsPort : httpPort;
    if (!parts->port.empty())
    {
        const auto port = readPort(parts->port);
        if (!port)
            return invalid(text, "has no valid port");
        url._port = *port;
    }
    std::string_view path = rest.substr(slash);
    while (!path.empty() && path.back() == '/')
        path.remove_suffix(1);
    if (!std::all_of(path.begin(), path.end(), isPathCharacter))
        return invalid(text, "has no valid path");
    url._basePath = std::string(path);
    return url;
}

std::string ServerUrl::authority() const
{
    std::string result = _host.find(':') == std::string::npos ? _host : "[" + _host + "]";
    if (_port != (_secure ? httpsPort : httpPort))
        result += ":" + std::to_string(_port);
    return result;
}

std::string ServerUrl::place() const
{
    return _socketPath.empty() ? authority() : text();
}

std::string ServerUrl::text() const
{
    if (!_socketPath.empty())
        return std::string(unixPrefix) + _socketPath;
    return (_secure ? "https://" : "http://") + authority() + _basePath;
}

bool ServerUrl::isLoopback() const noexcept
{
    Poco::Net::IPAddress address;
    if (Poco::Net::IPAddress::tryParse(_host, address))
        return address.isLoopback();
    return _host == "localhost";
}

std::string encodeSegment(std::string_view text)
{
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string result;
    for (const char c : text)
    {
        if (isUnreserved(c))
        {
            result += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        result += '%';
        result += digits[byte >> 4U];
        result += digits[byte & 15U];
    }
    return result;
}

} // namespace octostore::client
