// SPDX-License-Identifier: MIT
#include <octostore/http/Transport.h>

namespace octostore::http
{

Dispatcher::~Dispatcher() = default;
Transport::~Transport() = default;

} // namespace octostore::http
