// SPDX-License-Identifier: MIT
#include "AdminApiPlugin.h"

#include <octostore/plugin/Door.h>

OCTOSTORE_PLUGIN(octostore::admin_api::AdminApiPlugin, "admin-api", "0.1.0", "", "http.routes/1")
