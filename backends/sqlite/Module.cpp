// SPDX-License-Identifier: MIT
/// @file
/// The door of the SQLite backend.
#include "SqlitePlugin.h"

#include <octostore/plugin/Door.h>

OCTOSTORE_PLUGIN(octostore::sqlite::SqlitePlugin, "backend-sqlite", "1.0.0", "",
                 "backend.factory/1")
