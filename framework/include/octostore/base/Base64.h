// SPDX-License-Identifier: MIT
/// @file
/// Base64 in both alphabets (RFC 4648).
#pragma once

#include <octostore/base/Api.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace octostore
{

/// Section 4, with padding.
OCTOSTORE_API std::string toBase64(std::span<const std::uint8_t> bytes);
OCTOSTORE_API std::string toBase64(std::string_view bytes);

/// Section 5, without padding.
OCTOSTORE_API std::string toBase64Url(std::span<const std::uint8_t> bytes);

/// Nothing if it is no base64 with padding. Bits that stand for nothing may be anything.
OCTOSTORE_API std::optional<std::string> fromBase64(std::string_view text);
/// Section 5, without padding, to exactly as many bytes as there is room for. False if it is not
/// that; then anything may stand in `bytes`. Bits that stand for nothing may be anything.
OCTOSTORE_API bool fromBase64Url(std::string_view text, std::span<std::uint8_t> bytes) noexcept;

} // namespace octostore
