// SPDX-License-Identifier: MIT
/// @file
/// Walks over UTF-8 one scalar value at a time.
#pragma once

#include <cstddef>
#include <string_view>

namespace octostore
{

/// Bytes of the valid sequence (RFC 3629) that starts at `at`, 1..4; 0 if there is none. `at` must
/// be less than text.size().
std::size_t utf8SequenceLength(std::string_view text, std::size_t at) noexcept;

} // namespace octostore
