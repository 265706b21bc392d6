// SPDX-License-Identifier: MIT
#include <octostore/http/BindAddress.h>

#include <charconv>

#include <arpa/inet.h>
#include <sys/un.h>

namespace octostore::http
{

namespace
{

constexpr std::string_view unixPrefix = "unix:";

Error refused(std::string_view text)
{
    return {ErrorCode::Configuration, "`" + std::string(text) +
                                          "` is no address to listen on; write ADDRESS:PORT, "
                                          "[IPV6]:PORT or unix:/PATH."};
}

bool isNumeric(BindAddress::Kind kind, const std::string& host)
{
    in6_addr parsed{};
    return ::inet_pton(kind == BindAddress::Kind::Ipv6 ? AF_INET6 : AF_INET, host.c_str(),
                       &parsed) == 1;
}

} // namespace

Result<BindAddress> BindAddress::parse(std::string_view text)
{
    BindAddress address;
    if (text.substr(0, unixPrefix.size()) == unixPrefix)
    {
        address.kind = Kind::Unix;
        address.host = text.substr(unixPrefix.size());
        if (address.host.size() < 2 || address.host.front() != '/' ||
            address.host.size() >= sizeof(sockaddr_un::sun_path))
            return refused(text);
        return address;
    }

    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos)
        return refused(text);
    std::string_view host = text.substr(0, colon);
    const std::string_view port = text.substr(colon + 1);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']')
    {
        address.kind = Kind::Ipv6;
        host = host.substr(1, host.size() - 2);
    }
    address.host = host;
    const auto [stop, failure] =
        std::from_chars(port.data(), port.data() + port.size(), address.port);
    if (failure != std::errc() || stop != port.data() + port.size() ||
        !isNumeric(address.kind, address.host))
        return refused(text);
    return address;
}

} // namespace octostore::http
