// SPDX-License-Identifier: MIT
/// @file
/// Base64 in both alphabets (RFC 4648); toBase64Url() stands in Digest.h.
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

/// Nothing if it is no base64 with padding. Bits that stand for nothing may be anything.
OCTOSTORE_API std::optional<std::string> fromBase64(std::string_view text);
/// The same of section 5, without padding.
OCTOSTORE_API std::optional<std::string> fromBase64Url(std::string_view text);

} // namespace octostore
