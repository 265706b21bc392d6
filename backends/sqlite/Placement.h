// SPDX-License-Identifier: MIT
/// @file
/// A finished database gets its name, and the one that has it another.
#pragma once

#include "Options.h"

#include <octostore/base/Result.h>

#include <string>

namespace octostore::sqlite
{

/// Whether there is a database or a log of one: without its database a log would be taken for that
/// of the next.
bool isThere(const std::string& database);

/// Gives the database `file` the name `database`, which lies in the same folder. What has that name
/// gets another, together with its log, so that it is still a whole database. No connection to
/// either may be open. Returns the other name; empty: there was nothing.
/// Steps of `failPoint`, each before a file is renamed: "put-aside", "put-aside-log", "name" and,
/// when one failed, "put-back"; the results are error numbers.
/// Errors: Unavailable; what was there has its name again, or the message says where it is.
Result<std::string> placeDatabase(const std::string& file, const std::string& database,
                                  const FailPoint& failPoint);

} // namespace octostore::sqlite
