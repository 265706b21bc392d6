// SPDX-License-Identifier: MIT
/// @file
/// Where a webhook is delivered to.
#pragma once

#include <octostore/base/Result.h>
#include <octostore/http/IpAddress.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace octostore::webhooks
{

/// The address of a receiver, in normal form. Thread-safety: immutable.
struct TargetUrl
{
    bool secure = true;
    std::string host; ///< lower case, without brackets; a numeric form is written as an address
    std::uint16_t port = 443;
    std::string path; ///< with query; never empty
    /// The host, if it is an address in any of the forms that resolvers take for one.
    std::optional<http::IpAddress> address;

    /// Errors: InvalidInput; the message says what is wrong.
    static Result<TargetUrl> parse(std::string_view text);
    /// `host` or `host:port`, as the Host header has it.
    std::string authority() const;
    std::string text() const;
};

} // namespace octostore::webhooks
