// SPDX-License-Identifier: MIT
#include <octostore/base/Mistakes.h>
#include <octostore/base/Text.h>
#include <octostore/http/ClientAddress.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace octostore::http
{

namespace
{

/// Quotes are no shelter: a client that opens one must not swallow what a proxy appends, and no
/// address has a comma or semicolon inside.
std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    for (std::size_t end = text.find(separator); end != std::string_view::npos;
         end = text.find(separator, begin))
    {
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    parts.push_back(text.substr(begin));
    return parts;
}

bool isPort(std::string_view text)
{
    constexpr std::size_t longest = 5;
    return !text.empty() && text.size() <= longest &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:80`.
std::optional<IpAddress> parseNode(std::string_view text)
{
    if (!text.empty() && text.front() == '[')
    {
        const std::size_t close = text.find(']');
        if (close == std::string_view::npos)
            return std::nullopt;
        const std::string_view rest = text.substr(close + 1);
        if (!rest.empty() && (rest.front() != ':' || !isPort(rest.substr(1))))
            return std::nullopt;
        return IpAddress::parse(text.substr(1, close - 1));
    }
    const std::size_t colon = text.find(':');
    if (colon != std::string_view::npos && text.find('.') < colon)
        return isPort(text.substr(colon + 1)) ? IpAddress::parse(text.substr(0, colon))
                                              : std::nullopt;
    return IpAddress::parse(text);
}

/// The `for` of one element of Forwarded (RFC 7239). Given twice, neither counts.
std::optional<IpAddress> parseForwarded(std::string_view element)
{
    std::optional<IpAddress> found;
    bool seen = false;
    for (const std::string_view pair : split(element, ';'))
    {
        const std::size_t equals = pair.find('=');
        if (equals == std::string_view::npos ||
            !equalIgnoringCase(trim(pair.substr(0, equals)), "for"))
            continue;
        if (std::exchange(seen, true))
            return std::nullopt;
        std::string_view node = trim(pair.substr(equals + 1));
        if (node.size() >= 2 && node.front() == '"' && node.back() == '"')
            node = node.substr(1, node.size() - 2);
        found = parseNode(node);
    }
    return found;
}

/// What the proxies said, the nearest last.
template <class Parse>
std::vector<std::optional<IpAddress>> hops(const Headers& headers, std::string_view name,
                                           Parse parse)
{
    std::vector<std::optional<IpAddress>> found;
    for (const Header& header : headers.all())
    {
        if (!equalIgnoringCase(header.name, name))
            continue;
        for (const std::string_view entry : split(header.value, ','))
            found.push_back(parse(trim(entry)));
    }
    return found;
}

std::optional<IpAddress> nearestUntrusted(const std::vector<std::optional<IpAddress>>& hops,
                                          const ProxyTrust& trust)
{
    std::optional<IpAddress> last;
    for (auto hop = hops.rbegin(); hop != hops.rend() && *hop; ++hop)
    {
        last = **hop;
        if (!trust.trusts(*last))
            break;
    }
    return last;
}

std::optional<IpAddress> tell(const Headers& headers, AddressHeader header, const ProxyTrust& trust)
{
    switch (header)
    {
    case AddressHeader::Forwarded:
        return nearestUntrusted(hops(headers, "forwarded", parseForwarded), trust);
    case AddressHeader::XForwardedFor:
        return nearestUntrusted(hops(headers, "x-forwarded-for", parseNode), trust);
    case AddressHeader::CfConnectingIp:
        // Always one address; two headers mean that somebody else wrote one of them.
        if (headers.count("cf-connecting-ip") == 1)
            return IpAddress::parse(trim(*headers.find("cf-connecting-ip")));
        return std::nullopt;
    }
    return std::nullopt;
}

std::optional<AddressHeader> parseHeaderName(std::string_view name)
{
    if (equalIgnoringCase(name, "forwarded"))
        return AddressHeader::Forwarded;
    if (equalIgnoringCase(name, "x-forwarded-for"))
        return AddressHeader::XForwardedFor;
    if (equalIgnoringCase(name, "cf-connecting-ip"))
        return AddressHeader::CfConnectingIp;
    return std::nullopt;
}

Error wrong(std::string_view key, const std::string& what)
{
    return {ErrorCode::Configuration, std::string(key) + ": " + what};
}

} // namespace

ProxyTrust::ProxyTrust()
    : proxies{*Network::parse("127.0.0.0/8"), *Network::parse("::1")},
      headers{AddressHeader::Forwarded, AddressHeader::XForwardedFor, AddressHeader::CfConnectingIp}
{
}

Result<ProxyTrust> ProxyTrust::parse(const std::vector<std::string>& proxies,
                                     const std::vector<std::string>& headers)
{
    ProxyTrust trust;
    Mistakes mistakes;
    trust.proxies.clear();
    trust.headers.clear();
    for (const std::string& text : proxies)
    {
        Result<Network> network = Network::parse(text);
        if (network)
            trust.proxies.push_back(*network);
        else
            mistakes.add(wrong(proxiesKey, network.error().message));
    }
    for (const std::string& name : headers)
    {
        const std::optional<AddressHeader> header = parseHeaderName(name);
        if (header)
            trust.headers.push_back(*header);
        else
            mistakes.add(wrong(headersKey, "`" + name +
                                               "` is not one of forwarded, x-forwarded-for and "
                                               "cf-connecting-ip"));
    }
    if (const auto found = mistakes.result(); !found)
        return found.error();
    return trust;
}

bool ProxyTrust::trusts(const IpAddress& address) const noexcept
{
    return std::any_of(proxies.begin(), proxies.end(),
                       [&](const Network& network) { return network.contains(address); });
}

IpAddress clientAddress(std::string_view peer, const Headers& headers, const ProxyTrust& trust)
{
    const IpAddress nearest = IpAddress::parse(peer).value_or(IpAddress::loopback());
    if (!trust.trusts(nearest))
        return nearest;
    for (const AddressHeader header : trust.headers)
    {
        if (const std::optional<IpAddress> told = tell(headers, header, trust))
            return *told;
    }
    return nearest;
}

} // namespace octostore::http
