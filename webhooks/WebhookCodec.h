// SPDX-License-Identifier: MIT
/// @file
/// Webhooks and what they have got, as text in the store.
#pragma once

#include "Backlog.h"
#include "SecretBox.h"
#include "Webhook.h"

#include <octostore/base/Json.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::webhooks
{

std::string encode(const Webhook& webhook, const SecretBox& box, Random& random);
/// A secret that was sealed with another key stays sealed. Errors: Corrupt.
Result<Webhook> decode(std::string_view document, const SecretBox& box);

/// How far the deliveries of one webhook have come.
struct Cursor
{
    struct Tried
    {
        DeliveryKey key;
        unsigned attempts = 0;
        WallTime due;
        bool asked = false; ///< by a person
    };
    Sequence low; ///< everything up to it is finished but for `tried`
    std::vector<Tried> tried;
    std::optional<WallTime> failingSince;
    unsigned alerted = 0;
};

std::string encode(const Cursor& cursor);
/// Errors: Corrupt.
Result<Cursor> decodeCursor(std::string_view document);

/// The member `key`: an array of texts.
void writeStrings(JsonWriter& json, std::string_view key, const std::vector<std::string>& values);

/// Whole milliseconds of Unix time.
std::int64_t unixMilliseconds(WallTime time);
WallTime fromUnixMilliseconds(std::int64_t milliseconds);

} // namespace octostore::webhooks
