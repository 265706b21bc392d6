// SPDX-License-Identifier: MIT
/// @file
/// The strict reader of properties files.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/config/Problem.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::config
{

struct Property
{
    std::string key;
    std::string value;
    std::size_t line = 0; ///< where it starts, from 1
};

struct PropertiesText
{
    std::vector<Property> properties;
    std::vector<Problem> problems;
};

/// Reads `key = value` lines. Blanks around both are dropped; a line that starts with `#` is a
/// comment; a line that ends with one backslash goes on in the next, whose leading blanks are
/// dropped. Nothing else is special: no escapes, no `${}`, no other comments or separators. A line
/// that breaks a rule, and a key that comes twice, is a problem. A byte order mark in front is
/// skipped. `file` is only for messages.
OCTOSTORE_API PropertiesText parseProperties(std::string_view text, std::string_view file);

} // namespace octostore::config
