// SPDX-License-Identifier: MIT
#include "MetricsPlugin.h"

#include <octostore/plugin/Door.h>

OCTOSTORE_PLUGIN(octostore::metrics::MetricsPlugin, "metrics", "1.0.0", "",
                 "http.routes/1 http.filter/1 event.consumer/1 metrics.source/1")
