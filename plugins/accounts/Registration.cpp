// SPDX-License-Identifier: MIT
#include "Registration.h"

#include <octostore/http/BindAddress.h>
#include <octostore/http/IpAddress.h>

#include <string>

namespace octostore::accounts
{

namespace
{

Error refused(const std::string& why)
{
    return {ErrorCode::Configuration, "auth.local_registration (LOCAL_REGISTRATION): " + why};
}

bool isLoopback(const http::BindAddress& address)
{
    if (address.kind == http::BindAddress::Kind::Unix)
        return false;
    const auto ip = http::IpAddress::parse(address.host);
    const auto network = http::Network::parse("127.0.0.0/8");
    return ip && (*ip == *http::IpAddress::parse("::1") || (network && network->contains(*ip)));
}

bool hasStaticAccounts(const config::View& configuration)
{
    return configuration.isSet("auth.static.tokens") ||
           configuration.isSet("auth.static.tokens_file") ||
           !configuration.names("auth.static").empty();
}

} // namespace

Result<bool> registrationOf(const config::View& configuration)
{
    if (!configuration.boolean("auth.local_registration"))
        return false;
    const auto bind = http::BindAddress::parse(configuration.text("server.bind"));
    if (!bind || !isLoopback(*bind))
        return refused("server.bind (BIND_ADDR) must be a numeric loopback address and port, such "
                       "as 127.0.0.1:3000");
    if (hasStaticAccounts(configuration))
        return refused("no static tokens may be configured beside it");
    return true;
}

} // namespace octostore::accounts
