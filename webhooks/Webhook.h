// SPDX-License-Identifier: MIT
/// @file
/// A webhook as it was registered.
#pragma once

#include "TargetUrl.h"

#include <octostore/base/Id.h>
#include <octostore/base/Result.h>
#include <octostore/base/Time.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::webhooks
{

enum class Format : std::uint8_t
{
    Octostore,   ///< one delivery an event, Standard Webhooks envelope
    Legacy,      ///< one delivery a fact, as the reference has it
    CloudEvents, ///< one delivery an event, CloudEvents 1.0 as structured JSON
};

struct OldSecret
{
    std::string secret;
    WallTime until;     ///< it signs until then
    std::string sealed; ///< as stored, when its key is not here; then it signs nothing
};

/// Thread-safety: immutable while shared.
struct Webhook
{
    std::string id; ///< a UUID
    PrincipalId owner;
    std::string ownerName;
    bool admin = false; ///< made by an administrator: sees everybody's locks
    TargetUrl url;
    std::string secret;       ///< empty: what is delivered is not signed
    std::string sealedSecret; ///< as stored, when its key is not here; then it stays inactive
    std::vector<OldSecret> oldSecrets;
    std::vector<std::string> events;
    std::optional<std::string> lockPattern;
    std::vector<std::string> elections;
    std::string description;
    bool ordered = false;
    bool active = true;
    std::string disabledReason; ///< why the server itself made it inactive
    Format format = Format::Octostore;
    std::optional<std::uint64_t> maxAgeSeconds;
    std::optional<std::uint64_t> ratePerSecond; ///< attempts; nothing: as fast as it answers
    WallTime createdAt;

    /// The newest first, those that are over left out.
    std::vector<std::string> secretsAt(WallTime now) const;
};
using WebhookPtr = std::shared_ptr<const Webhook>;

std::string_view formatName(Format format) noexcept;
/// Nothing if there is no such format.
std::optional<Format> parseFormat(std::string_view name) noexcept;

} // namespace octostore::webhooks
