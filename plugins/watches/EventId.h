// SPDX-License-Identifier: MIT
/// @file
/// Reads what clients send back as the last id they saw.
#pragma once

#include <octostore/base/Id.h>

#include <charconv>
#include <optional>
#include <string_view>

namespace octostore::watches
{

/// Nothing when it is no id of ours.
inline std::optional<Sequence> parseEventId(std::string_view text) noexcept
{
    std::uint64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size())
        return std::nullopt;
    return Sequence(value);
}

} // namespace octostore::watches
