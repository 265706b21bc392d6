// SPDX-License-Identifier: MIT
#include <octostore/config/Config.h>

namespace octostore::config
{

View::~View() = default;

} // namespace octostore::config
