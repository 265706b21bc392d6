// SPDX-License-Identifier: MIT
#include "StaticAuthPlugin.h"

#include <octostore/plugin/Door.h>

OCTOSTORE_PLUGIN(octostore::auth::StaticAuthPlugin, "auth-static", "0.1.0", "", "auth.provider/1")
