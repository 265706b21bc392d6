// SPDX-License-Identifier: MIT
#include "AccountsPlugin.h"

#include <octostore/plugin/Door.h>

OCTOSTORE_PLUGIN(octostore::accounts::AccountsPlugin, "accounts", "0.1.0", "",
                 "http.routes/1,auth.provider/1")
