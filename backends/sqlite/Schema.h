// SPDX-License-Identifier: MIT
/// @file
/// The tables, and how a database of an older version becomes one of this version.
#pragma once

#include "Database.h"

#include <octostore/base/Result.h>

#include <span>
#include <string_view>
#include <vector>

namespace octostore::sqlite
{

/// What one version adds to the version before; released ones never change. PRAGMA user_version
/// counts how many of them a database has been through.
struct Migration
{
    std::vector<std::string_view> statements;
};

/// All there are, oldest first.
std::span<const Migration> migrations();

/// Applies what `database` lacks, each migration in a transaction of its own.
/// Errors: Configuration (a newer server's database, or another program's), Corrupt, Unavailable;
/// the database is then as the last good migration left it.
Result<void> migrate(Database& database, std::span<const Migration> known = migrations());

} // namespace octostore::sqlite
