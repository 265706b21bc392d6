// SPDX-License-Identifier: MIT
/// @file
/// "Did you mean": the known word that is nearest to a mistyped one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::config
{

/// The first word with the least edit distance; nothing if none is near.
std::optional<std::string> nearestWord(std::string_view typed,
                                       const std::vector<std::string>& words);

/// `, did you mean X?`, or nothing.
std::string didYouMean(const std::optional<std::string>& word);

} // namespace octostore::config
