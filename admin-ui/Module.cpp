// SPDX-License-Identifier: MIT
#include "AdminUiPlugin.h"

#include <octostore/plugin/Door.h>

OCTOSTORE_PLUGIN(octostore::admin_ui::AdminUiPlugin, "admin-ui", "1.0.0", "", "http.routes/1")
