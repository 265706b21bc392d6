// SPDX-License-Identifier: MIT
#include <octostore/http/IpAddress.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include <arpa/inet.h>
#include <netinet/in.h>

namespace octostore::http
{

namespace
{

constexpr std::size_t v4Offset = 12;
constexpr std::size_t v4Bits = v4Offset * 8; // before the first bit of an IPv4 address
constexpr std::size_t allBits = 128;
constexpr std::size_t hostNetworkBytes = 8;
constexpr std::array<std::uint8_t, v4Offset> v4Prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

} // namespace

IpAddress IpAddress::loopback()
{
    Bytes bytes{};
    bytes.back() = 1;
    return IpAddress(bytes);
}

IpAddress IpAddress::fromV4(std::span<const std::uint8_t, 4> v4)
{
    Bytes bytes{};
    std::copy(v4Prefix.begin(), v4Prefix.end(), bytes.begin());
    std::copy(v4.begin(), v4.end(), bytes.begin() + v4Offset);
    return IpAddress(bytes);
}

std::optional<IpAddress> IpAddress::fromSocketAddress(const sockaddr& address)
{
    Bytes bytes{};
    std::array<std::uint8_t, 4> v4{};
    switch (address.sa_family)
    {
    case AF_INET6:
        std::memcpy(bytes.data(), &reinterpret_cast<const sockaddr_in6&>(address).sin6_addr,
                    bytes.size());
        return IpAddress(bytes);
    case AF_INET:
        std::memcpy(v4.data(), &reinterpret_cast<const sockaddr_in&>(address).sin_addr, v4.size());
        return fromV4(v4);
    default:
        return std::nullopt;
    }
}

std::optional<IpAddress> IpAddress::parse(std::string_view text)
{
    char buffer[INET6_ADDRSTRLEN];
    // A NUL inside would end the text early for inet_pton.
    if (text.size() >= sizeof buffer || text.find('\0') != std::string_view::npos)
        return std::nullopt;
    text.copy(buffer, text.size());
    buffer[text.size()] = '\0';

    Bytes bytes{};
    if (::inet_pton(AF_INET6, buffer, bytes.data()) == 1)
        return IpAddress(bytes);
    std::copy(v4Prefix.begin(), v4Prefix.end(), bytes.begin());
    if (::inet_pton(AF_INET, buffer, bytes.data() + v4Offset) == 1)
        return IpAddress(bytes);
    return std::nullopt;
}

bool IpAddress::isV4() const noexcept
{
    return std::equal(v4Prefix.begin(), v4Prefix.end(), _bytes.begin());
}

IpAddress IpAddress::client() const noexcept
{
    if (isV4())
        return *this;
    Bytes bytes = _bytes;
    std::fill(bytes.begin() + hostNetworkBytes, bytes.end(), std::uint8_t{0});
    return IpAddress(bytes);
}

std::string IpAddress::text() const
{
    char buffer[INET6_ADDRSTRLEN] = "";
    if (isV4())
        ::inet_ntop(AF_INET, _bytes.data() + v4Offset, buffer, sizeof buffer);
    else
        ::inet_ntop(AF_INET6, _bytes.data(), buffer, sizeof buffer);
    return buffer;
}

Result<Network> Network::parse(std::string_view text)
{
    const std::size_t slash = text.find('/');
    const std::optional<IpAddress> base = IpAddress::parse(text.substr(0, slash));
    if (!base)
        return Error{ErrorCode::Configuration,
                     "`" + std::string(text) +
                         "` is neither an IP address nor a network; write "
                         "for example 10.0.0.0/8"};
    if (slash == std::string_view::npos)
        return Network(*base, allBits);

    const std::string_view digits = text.substr(slash + 1);
    // `::ffff:10.0.0.0/104` counts from the first bit of what is written.
    const bool dotted = base->isV4() && text.substr(0, slash).find(':') == std::string_view::npos;
    const std::size_t before = dotted ? v4Bits : 0;
    std::size_t bits = 0;
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
    if (fault != std::errc() || end != digits.data() + digits.size() || bits > allBits - before)
        return Error{ErrorCode::Configuration, "`" + std::string(text) +
                                                   "`: the prefix must be a number from 0 to " +
                                                   std::to_string(allBits - before)};
    return Network(*base, before + bits);
}

bool Network::contains(const IpAddress& address) const noexcept
{
    const std::size_t whole = _bits / 8;
    const std::size_t rest = _bits % 8;
    if (std::memcmp(_base.bytes().data(), address.bytes().data(), whole) != 0)
        return false;
    if (rest == 0)
        return true;
    const unsigned differing = static_cast<unsigned>(_base.bytes()[whole] ^ address.bytes()[whole]);
    return (differing >> (8 - rest)) == 0;
}

} // namespace octostore::http
