// SPDX-License-Identifier: MIT
/// @file
/// Where a request really comes from, behind however many proxies.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Result.h>
#include <octostore/http/IpAddress.h>
#include <octostore/http/Message.h>

#include <string>
#include <string_view>
#include <vector>

namespace octostore::http
{

/// Headers in which a proxy tells whom it speaks for.
enum class AddressHeader : std::uint8_t
{
    Forwarded,
    XForwardedFor,
    CfConnectingIp,
};

/// Whom to believe, and what. A proxy that sets one header lets clients write the others: whoever
/// runs such a proxy names the one it sets.
struct OCTOSTORE_API ProxyTrust
{
    static constexpr std::string_view proxiesKey = "http.trusted_proxies";
    static constexpr std::string_view headersKey = "http.client_address_headers";

    /// Loopback, and all headers.
    ProxyTrust();
    /// `proxies`: addresses and networks; `headers`: names in the order in which they are asked.
    /// Errors: Configuration; a line for each wrong entry, which begins with the key.
    static Result<ProxyTrust> parse(const std::vector<std::string>& proxies,
                                    const std::vector<std::string>& headers);
    bool trusts(const IpAddress& address) const noexcept;

    std::vector<Network> proxies;
    std::vector<AddressHeader> headers;
};

/// The peer, unless it is trusted; then what the first header with an answer says: the right-most
/// address that is not a trusted proxy's, because everything to the left of that is hearsay.
/// Entries that are no address end the search at the last trusted hop. A local socket counts as
/// loopback.
OCTOSTORE_API IpAddress clientAddress(std::string_view peer, const Headers& headers,
                                      const ProxyTrust& trust);

} // namespace octostore::http
