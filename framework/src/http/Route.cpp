// SPDX-License-Identifier: MIT
#include <octostore/http/Route.h>

namespace octostore::http
{

RouteProvider::~RouteProvider() = default;
Filter::~Filter() = default;

} // namespace octostore::http
