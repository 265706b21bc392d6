// SPDX-License-Identifier: MIT
/// @file
/// Puts a FaultDisk between SQLite and its files.
#pragma once

#include "FaultDisk.h"

#include <sqlite3.h>

#include <string>

namespace octostore::test
{

/// A virtual file system of SQLite, registered while it lives. Databases and their logs go through
/// the disk; the shared memory beside them does not: it is never synced.
/// Thread-safety: thread-safe.
class FaultVfs
{
public:
    /// `disk` must outlive it. `byDefault`: for every database whose opener names no other.
    FaultVfs(std::string name, FaultDisk& disk, bool byDefault);
    /// Every database must be closed.
    ~FaultVfs();
    FaultVfs(const FaultVfs&) = delete;
    FaultVfs& operator=(const FaultVfs&) = delete;

private:
    const std::string _name;
    sqlite3_vfs _vfs = {};
};

} // namespace octostore::test
