// SPDX-License-Identifier: MIT
#include "PocoPlugin.h"

#include <octostore/plugin/Door.h>

OCTOSTORE_PLUGIN(octostore::http_poco::PocoPlugin, "http-poco", "0.1.0", "", "http.transport/1")
