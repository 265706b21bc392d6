// SPDX-License-Identifier: MIT
/// @file
/// SHA-256, HMAC-SHA256 (RFC 2104) and the comparison that takes the same time for every input.
#pragma once

#include <octostore/base/Api.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace octostore
{

using Digest = std::array<std::uint8_t, 32>;

OCTOSTORE_API Digest sha256(std::string_view data) noexcept;
OCTOSTORE_API Digest hmacSha256(std::string_view key, std::string_view message) noexcept;
/// Constant time for equal lengths; the length is no secret.
OCTOSTORE_API bool equalSecrets(std::string_view a, std::string_view b) noexcept;
OCTOSTORE_API bool equalSecrets(const Digest& a, const Digest& b) noexcept;

/// Lower case.
OCTOSTORE_API std::string toHex(std::span<const std::uint8_t> bytes);

} // namespace octostore
