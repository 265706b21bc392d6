// SPDX-License-Identifier: MIT
/// @file
/// How a receiver knows that a delivery is ours (Standard Webhooks 1.0.0).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::webhooks
{

/// What stands before the base64 of a key.
constexpr std::string_view secretPrefix = "whsec_";
/// The key behind a secret: what follows `whsec_`, decoded; any other text is the key itself.
std::string keyOfSecret(std::string_view secret);
/// `whsec_` and `key` in base64.
std::string secretOfKey(std::span<const std::uint8_t> key);

/// The header `webhook-signature`: an entry `v1,...` for each secret, in their order.
std::string signatureHeader(const std::vector<std::string>& secrets, std::string_view id,
                            std::int64_t timestamp, std::string_view body);
/// The header `X-OctoStore-Signature`: the secret as it is written is the key.
std::string legacySignature(std::string_view secret, std::string_view body);

} // namespace octostore::webhooks
