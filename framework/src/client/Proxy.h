// SPDX-License-Identifier: MIT
/// @file
/// Which proxy leads to a server.
#pragma once

#include <octostore/client/ServerUrl.h>

#include <map>
#include <optional>
#include <string>

namespace octostore::client
{

/// The proxy that the environment names for `server`. Nothing for loopback, for what NO_PROXY
/// names, and for proxies that are not http. HTTP_PROXY does not count inside CGI programs, where a
/// request header can set it.
std::optional<ServerUrl> proxyFor(const ServerUrl& server,
                                  const std::map<std::string, std::string>& environment);

} // namespace octostore::client
