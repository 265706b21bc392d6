// SPDX-License-Identifier: MIT
#include "BeastPlugin.h"

#include <octostore/plugin/Door.h>

OCTOSTORE_PLUGIN(octostore::http_beast::BeastPlugin, "http-beast", "0.1.0", "", "http.transport/1")
