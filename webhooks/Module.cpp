// SPDX-License-Identifier: MIT
#include "WebhooksPlugin.h"

#include <octostore/plugin/Door.h>

OCTOSTORE_PLUGIN(octostore::webhooks::WebhooksPlugin, "webhooks", "0.1.0", "",
                 "http.routes/1,event.consumer/1,metrics.source/1")
