// SPDX-License-Identifier: MIT
/// @file
/// The door of the memory backend.
#include "MemoryPlugin.h"

#include <octostore/plugin/Door.h>

OCTOSTORE_PLUGIN(octostore::memory::MemoryPlugin, "backend-memory", "1.0.0", "",
                 "backend.factory/1")
