// SPDX-License-Identifier: MIT
#include "TargetUrl.h"

#include <octostore/base/Text.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include <arpa/inet.h>

namespace octostore::webhooks
{

namespace
{

constexpr std::size_t urlMax = 2048;
constexpr std::size_t hostMax = 253;
constexpr std::uint16_t securePort = 443, plainPort = 80;

Error badUrl(const std::string& why)
{
    return {ErrorCode::InvalidInput, "url: " + why};
}

/// `127.1`, `0x7f000001`, `2130706433`, `0177.0.0.1`: what inet_aton() takes, getaddrinfo() takes.
std::optional<http::IpAddress> numericAddress(const std::string& host)
{
    if (host.find(':') != std::string::npos)
        return http::IpAddress::parse(host);
    in_addr v4{};
    if (::inet_aton(host.c_str(), &v4) == 0)
        return std::nullopt;
    std::array<std::uint8_t, sizeof v4> bytes{};
    std::memcpy(bytes.data(), &v4, sizeof v4);
    return http::IpAddress::fromV4(bytes);
}

bool isHostName(const std::string& host)
{
    return !host.empty() && host.size() <= hostMax && host.front() != '.' && host.front() != '-' &&
           host.find("..") == std::string::npos &&
           host.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-._") == std::string::npos;
}

/// Splits `host:port`; an address with colons stands in brackets.
Result<std::string> takeHost(std::string_view authority, std::string_view& port)
{
    std::size_t end = authority.find(':');
    std::string host(authority.substr(0, end));
    if (authority.starts_with('['))
    {
        const std::size_t closing = authority.find(']');
        if (closing == std::string_view::npos)
            return badUrl("the bracket of the address is not closed");
        host = authority.substr(1, closing - 1);
        if (!http::IpAddress::parse(host) || host.find(':') == std::string::npos)
            return badUrl("there is no IPv6 address in the brackets");
        if (closing + 1 < authority.size() && authority[closing + 1] != ':')
            return badUrl("only a port may follow the address");
        end = closing + 1 < authority.size() ? closing + 1 : std::string_view::npos;
    }
    port = end == std::string_view::npos ? std::string_view() : authority.substr(end + 1);
    return toLower(host);
}

Result<void> readPort(std::string_view text, std::uint16_t& port)
{
    if (text.empty())
        return {};
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), port);
    if (fault != std::errc() || end != text.data() + text.size() || port == 0)
        return badUrl("the port must be a number from 1 to 65535");
    return {};
}

} // namespace

Result<TargetUrl> TargetUrl::parse(std::string_view text)
{
    if (text.size() > urlMax)
        return badUrl("it is longer than 2048 bytes");
    const auto isPlain = [](unsigned char c) { return c > 0x20 && c < 0x7f && c != '\\'; };
    if (!std::all_of(text.begin(), text.end(), isPlain))
        return badUrl("blanks, backslashes and other than ASCII characters must be escaped");
    const std::size_t colon = text.find("://");
    const std::string scheme = toLower(text.substr(0, std::min(colon, text.size())));
    if (colon == std::string_view::npos || (scheme != "https" && scheme != "http"))
        return badUrl("it must begin with https://");
    std::string_view rest = text.substr(colon + 3);
    rest = rest.substr(0, rest.find('#')); // a fragment is never sent
    const std::size_t slash = rest.find_first_of("/?");
    const std::string_view authority = rest.substr(0, slash);
    if (authority.find('@') != std::string_view::npos)
        return badUrl("a user or password in it is not allowed");

    TargetUrl url;
    url.secure = scheme == "https";
    url.port = url.secure ? securePort : plainPort;
    std::string_view port;
    auto host = takeHost(authority, port);
    if (!host)
        return host.error();
    if (auto read = readPort(port, url.port); !read)
        return read.error();
    url.address = numericAddress(*host);
    if (!url.address && !isHostName(*host))
        return badUrl("the host is not valid");
    url.host = url.address ? url.address->text() : *host;
    url.path = slash == std::string_view::npos ? "/" : std::string(rest.substr(slash));
    if (url.path.front() == '?')
        url.path.insert(0, "/");
    return url;
}

std::string TargetUrl::authority() const
{
    std::string name = host.find(':') == std::string::npos ? host : "[" + host + "]";
    if (port != (secure ? securePort : plainPort))
        name += ":" + std::to_string(port);
    return name;
}

std::string TargetUrl::text() const
{
    return (secure ? "https://" : "http://") + authority() + path;
}

} // namespace octostore::webhooks
