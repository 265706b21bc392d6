// SPDX-License-Identifier: MIT
#include "HealthPlugin.h"

#include <octostore/plugin/Door.h>

OCTOSTORE_PLUGIN(octostore::health::HealthPlugin, "health", "0.1.0", "", "http.routes/1")
