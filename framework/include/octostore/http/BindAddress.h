// SPDX-License-Identifier: MIT
/// @file
/// Where a server listens.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Result.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace octostore::http
{

struct BindAddress
{
    enum class Kind : std::uint8_t
    {
        Ipv4,
        Ipv6,
        Unix,
    };

    Kind kind = Kind::Ipv4;
    std::string host; ///< numeric; of Unix, the path
    std::uint16_t port = 0;

    /// `127.0.0.1:3000`, `[::]:3000` or `unix:/run/octostore.sock`.
    /// Errors: Configuration; names are not resolved.
    static OCTOSTORE_API Result<BindAddress> parse(std::string_view text);
};

} // namespace octostore::http
