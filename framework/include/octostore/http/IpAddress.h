// SPDX-License-Identifier: MIT
/// @file
/// Numeric IP addresses and networks, compared without asking anybody.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Result.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

struct sockaddr;

namespace octostore::http
{

/// IPv4 is kept as IPv4 inside IPv6, so the two ways to write one address are equal.
/// Thread-safety: thread-compatible.
class OCTOSTORE_API IpAddress
{
public:
    using Bytes = std::array<std::uint8_t, 16>;

    /// `::`
    IpAddress() = default;
    explicit IpAddress(const Bytes& bytes) : _bytes(bytes) {}
    static IpAddress loopback();
    /// From four bytes in the order of the network.
    static IpAddress fromV4(std::span<const std::uint8_t, 4> bytes);
    /// Nothing if it is neither IPv4 nor IPv6.
    static std::optional<IpAddress> fromSocketAddress(const sockaddr& address);
    /// Exactly an address: no port, brackets, zone or blanks. Nothing otherwise.
    static std::optional<IpAddress> parse(std::string_view text);

    bool isV4() const noexcept;
    const Bytes& bytes() const noexcept { return _bytes; }
    /// What counts as one client: an IPv4 address, or the /64 of an IPv6 address, because
    /// a single host has that many.
    IpAddress client() const noexcept;
    /// As people write it; IPv4 with dots.
    std::string text() const;

    friend bool operator==(const IpAddress& a, const IpAddress& b) noexcept
    {
        return a._bytes == b._bytes;
    }
    friend bool operator!=(const IpAddress& a, const IpAddress& b) noexcept { return !(a == b); }

private:
    Bytes _bytes{};
};

/// All addresses that begin with the same bits. Thread-safety: thread-compatible.
class OCTOSTORE_API Network
{
public:
    /// `10.0.0.0/8`, `2001:db8::/32`, or one address. Bits after the prefix do not matter.
    /// Errors: Configuration; the message says what is wrong with `text`.
    static Result<Network> parse(std::string_view text);

    bool contains(const IpAddress& address) const noexcept;

private:
    Network(const IpAddress& base, std::size_t bits) : _base(base), _bits(bits) {}

    IpAddress _base;
    std::size_t _bits; ///< of all 128
};

} // namespace octostore::http
