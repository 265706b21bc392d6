// SPDX-License-Identifier: MIT
#include "Proxy.h"

#include <octostore/base/Text.h>

#include <initializer_list>
#include <string_view>

namespace octostore::client
{

namespace
{

using Environment = std::map<std::string, std::string>;

/// The first of these that is set to something.
std::string firstOf(const Environment& environment, std::initializer_list<const char*> names)
{
    for (const char* name : names)
        if (const auto found = environment.find(name);
            found != environment.end() && !found->second.empty())
            return found->second;
    return {};
}

bool matches(std::string_view host, std::string_view pattern)
{
    if (pattern == "*")
        return true;
    if (!pattern.empty() && pattern.front() == '.')
        pattern.remove_prefix(1);
    if (pattern.empty() || host.size() < pattern.size())
        return false;
    const std::string_view end = host.substr(host.size() - pattern.size());
    if (!equalIgnoringCase(end, pattern))
        return false;
    return host.size() == pattern.size() || host[host.size() - pattern.size() - 1] == '.';
}

bool exempt(const ServerUrl& server, const Environment& environment)
{
    const std::string list = firstOf(environment, {"NO_PROXY", "no_proxy"});
    std::string_view rest = list;
    while (!rest.empty())
    {
        const std::size_t comma = rest.find(',');
        if (matches(server.host(), trim(rest.substr(0, comma))))
            return true;
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
    return false;
}

} // namespace

std::optional<ServerUrl> proxyFor(const ServerUrl& server, const Environment& environment)
{
    if (server.isLoopback() || exempt(server, environment))
        return std::nullopt;
    std::string text;
    if (server.secure())
        text = firstOf(environment, {"HTTPS_PROXY", "https_proxy"});
    else if (environment.count("REQUEST_METHOD") != 0)
        text = firstOf(environment, {"http_proxy"});
    else
        text = firstOf(environment, {"HTTP_PROXY", "http_proxy"});
    if (text.empty())
        text = firstOf(environment, {"ALL_PROXY", "all_proxy"});
    if (text.empty())
        return std::nullopt;
    if (text.find("://") == std::string::npos)
        text.insert(0, "http://");
    auto proxy = ServerUrl::parse(text);
    if (!proxy || proxy->secure() || !proxy->socketPath().empty())
        return std::nullopt;
    return *std::move(proxy);
}

} // namespace octostore::client
