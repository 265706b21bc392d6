// SPDX-License-Identifier: MIT
/// @file
/// Which addresses a webhook may be delivered to.
#pragma once

#include <octostore/base/Result.h>
#include <octostore/http/IpAddress.h>

#include <cstdint>
#include <string>
#include <vector>

namespace octostore::webhooks
{

struct EgressSettings
{
    bool allowPrivate = false;      ///< everything but link-local, with https
    std::vector<std::string> allow; ///< networks and addresses, with http too
    std::vector<http::IpAddress> ownAddresses;
    std::uint16_t ownPort = 0; ///< 0: none
};

/// Judges the address that is about to be dialled, after names were resolved: a name that changes
/// between two look-ups gains nothing. Thread-safety: immutable.
class EgressPolicy
{
public:
    /// Errors: Configuration, naming the entry that is no network.
    static Result<EgressPolicy> make(EgressSettings settings);

    /// Errors: Forbidden; the message says which rule.
    Result<void> check(const http::IpAddress& address, std::uint16_t port, bool secure) const;
    /// Whether http has any use at all.
    bool allowsPlain() const noexcept { return !_networks.empty() || !_exact.empty(); }
    bool allowsPrivate() const noexcept { return _settings.allowPrivate; }

private:
    EgressSettings _settings;
    std::vector<http::IpAddress> _exact;
    std::vector<http::Network> _networks;
};

} // namespace octostore::webhooks
