// SPDX-License-Identifier: MIT
/// @file
/// What the text of a value means to its key.
#pragma once

#include <octostore/base/Result.h>
#include <octostore/config/Config.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::config
{

struct ParsedValue
{
    std::string text;         ///< without blanks around it, but for a secret
    std::uint64_t number = 0; ///< 0 or 1, an integer, milliseconds or bytes
    std::vector<std::string> elements;
};

/// Errors: Configuration; the message says what the value must be and never shows a secret.
Result<ParsedValue> parseValue(const Key& key, std::string_view text);

/// What a value must be: `an integer from 1 to 10`, `true or false`, `one of a, b`.
std::string describeValue(const Key& key);

} // namespace octostore::config
