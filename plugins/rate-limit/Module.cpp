// SPDX-License-Identifier: MIT
#include "RateLimitPlugin.h"

#include <octostore/plugin/Door.h>

OCTOSTORE_PLUGIN(octostore::rate_limit::RateLimitPlugin, "rate-limit", "0.1.0", "", "http.filter/1")
