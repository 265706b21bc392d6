// SPDX-License-Identifier: MIT
/// @file
/// Answers, as a terminal shows them.
#pragma once

#include <octostore/base/Json.h>

#include <string>
#include <string_view>
#include <vector>

namespace octostore::program
{

/// A value in a line: texts as they are, null as `-`, what has members as JSON.
std::string toText(const JsonValue& value);
/// `key: value` lines, in the order of the keys.
std::string describe(const JsonValue::Object& object);

/// A column of a table: the heading and the member it shows.
struct Column
{
    std::string_view heading;
    std::string_view member;
};

/// One line for each row under a line of headings, aligned. No row: one line that says so.
std::string table(const std::vector<Column>& columns, const JsonValue::Array& rows);

} // namespace octostore::program
