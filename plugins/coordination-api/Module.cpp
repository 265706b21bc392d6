// SPDX-License-Identifier: MIT
#include "CoordinationApiPlugin.h"

#include <octostore/plugin/Door.h>

OCTOSTORE_PLUGIN(octostore::coordination_api::CoordinationApiPlugin, "coordination-api", "1.0.0",
                 "", "http.routes/1 metrics.source/1")
