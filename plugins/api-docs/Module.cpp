// SPDX-License-Identifier: MIT
#include "ApiDocsPlugin.h"

#include <octostore/plugin/Door.h>

OCTOSTORE_PLUGIN(octostore::api_docs::ApiDocsPlugin, "api-docs", "1.0.0", "", "http.routes/1")
