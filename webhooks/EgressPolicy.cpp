// SPDX-License-Identifier: MIT
#include "EgressPolicy.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace octostore::webhooks
{

namespace
{

using http::IpAddress;
using http::Network;

constexpr std::array deniedText = {
    "0.0.0.0/8",     "10.0.0.0/8",      "100.64.0.0/10",  "127.0.0.0/8",    "169.254.0.0/16",
    "172.16.0.0/12", "192.0.0.0/24",    "192.0.2.0/24",   "192.88.99.0/24", "192.168.0.0/16",
    "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4",    "240.0.0.0/4",
    "2001::/32",     "2001:db8::/32",   "2002::/16",      "3fff::/20"};

std::vector<Network> networks(const auto& texts)
{
    std::vector<Network> all;
    for (const char* text : texts)
        all.push_back(*Network::parse(text));
    return all;
}

bool isIn(const std::vector<Network>& all, const IpAddress& address)
{
    return std::any_of(all.begin(), all.end(),
                       [&address](const Network& one) { return one.contains(address); });
}

IpAddress v4At(const IpAddress& address, std::size_t offset, std::uint8_t mask = 0)
{
    std::array<std::uint8_t, 4> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::uint8_t>(address.bytes()[offset + i] ^ mask);
    return IpAddress::fromV4(bytes);
}

/// The IPv4 address that a gateway would send this one's packets to.
std::optional<IpAddress> embeddedV4(const IpAddress& address)
{
    static const std::vector<Network> nat64 =
        networks(std::array{"64:ff9b::/96", "64:ff9b:1::/48", "::/96"});
    static const std::vector<Network> sixToFour = networks(std::array{"2002::/16"});
    static const std::vector<Network> teredo = networks(std::array{"2001::/32"});
    if (isIn(nat64, address))
        return v4At(address, 12);
    if (isIn(sixToFour, address))
        return v4At(address, 2);
    if (isIn(teredo, address))
        return v4At(address, 12, 0xff);
    return std::nullopt;
}

bool isLinkLocal(const IpAddress& address)
{
    static const std::vector<Network> local =
        networks(std::array{"169.254.0.0/16", "fe80::/10", "fd00:ec2::254"});
    if (isIn(local, address))
        return true;
    const auto inner = embeddedV4(address);
    return inner && isIn(local, *inner);
}

bool isPublic(const IpAddress& address)
{
    static const std::vector<Network> denied = networks(deniedText);
    static const std::vector<Network> global = networks(std::array{"2000::/3"});
    return !isIn(denied, address) && (address.isV4() || isIn(global, address));
}

/// `10.0.0.5`, and `10.0.0.5/32` for those who write every network with its length.
std::optional<IpAddress> exactAddress(const std::string& text)
{
    const std::size_t slash = text.find('/');
    const std::string_view whole = text.find(':') == std::string::npos ? "/32" : "/128";
    if (slash != std::string::npos && std::string_view(text).substr(slash) != whole)
        return std::nullopt;
    return IpAddress::parse(std::string_view(text).substr(0, slash));
}

Error refused(const IpAddress& address, const char* why)
{
    return {ErrorCode::Forbidden, address.text() + " " + why};
}

} // namespace

Result<EgressPolicy> EgressPolicy::make(EgressSettings settings)
{
    EgressPolicy policy;
    for (const std::string& text : settings.allow)
    {
        if (const auto address = exactAddress(text))
        {
            policy._exact.push_back(*address);
            continue;
        }
        auto network = Network::parse(text);
        if (!network)
            return Error{ErrorCode::Configuration,
                         "webhooks.egress.allow.cidrs: " + network.error().message};
        policy._networks.push_back(*std::move(network));
    }
    policy._settings = std::move(settings);
    return policy;
}

Result<void> EgressPolicy::check(const IpAddress& address, std::uint16_t port, bool secure) const
{
    if (std::find(_exact.begin(), _exact.end(), address) != _exact.end())
        return {};
    const auto& own = _settings.ownAddresses;
    static const std::vector<Network> loopback =
        networks(std::array{"127.0.0.0/8", "::1/128", "0.0.0.0/8", "::/128"});
    if (_settings.ownPort != 0 && port == _settings.ownPort &&
        (isIn(loopback, address) || std::find(own.begin(), own.end(), address) != own.end()))
        return refused(address, "is where this server itself listens");
    if (isLinkLocal(address))
        return refused(address, "is link-local; only its exact address can be allowed");
    if (isIn(_networks, address))
        return {};
    if (!secure)
        return refused(address, "is not in webhooks.egress.allow.cidrs; only https is allowed");
    if (_settings.allowPrivate || isPublic(address))
        return {};
    return refused(address, "is not a public address");
}

} // namespace octostore::webhooks
