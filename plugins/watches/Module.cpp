// SPDX-License-Identifier: MIT
#include "WatchesPlugin.h"

#include <octostore/plugin/Door.h>

OCTOSTORE_PLUGIN(octostore::watches::WatchesPlugin, "watches", "1.0.0", "",
                 "http.routes/1 event.consumer/1")
