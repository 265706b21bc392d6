// SPDX-License-Identifier: MIT
/// @file
/// What an SQLite backend is opened with.
#pragma once

#include <octostore/base/Log.h>
#include <octostore/base/Time.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

struct sqlite3;

namespace octostore::sqlite
{

class CommitFigures;

/// For fault tests: called before (and, as "commit-after", behind) a step of the committer, with
/// its connection. Anything but SQLITE_OK is taken for the result of the step. Steps: "open"
/// (before the pragmas), "begin", "write" (each transaction), "commit-before", "commit-after",
/// "report" (before the outcomes are reported; its result is ignored) and "settle". A restore has
/// steps of its own (Placement.h), without a connection.
using FailPoint = std::function<int(std::string_view step, sqlite3* connection)>;

/// When the write-ahead log is copied into the database. In pages of 4 KiB.
struct CheckpointLimits
{
    std::uint32_t startPages = 4096;   ///< 16 MiB: the second thread starts copying
    std::uint32_t finishPages = 500;   ///< so few left: the committer copies them itself
    std::uint32_t forcedPages = 65536; ///< 256 MiB: the committer copies whatever is left
};

struct Options
{
    std::string path; ///< as configured
    const Clock* clock = nullptr;
    Logger logger;
    CommitFigures* figures = nullptr; ///< may be null; must outlive stop()

    CheckpointLimits checkpoint;
    /// How often path and inode of the files are compared.
    Milliseconds watchInterval{1000};
    /// First and longest pause between two attempts to find out what became of a batch.
    Milliseconds settlePause{20};
    Milliseconds settlePauseMax{1000};

    // For tests; no configuration key sets them.
    std::string vfs; ///< empty: SQLite's default
    FailPoint failPoint;
};

} // namespace octostore::sqlite
