// SPDX-License-Identifier: MIT
#include <octostore/backend/Backend.h>

namespace octostore::backend
{

BackendListener::~BackendListener() = default;
Backend::~Backend() = default;
BackendFactory::~BackendFactory() = default;

} // namespace octostore::backend
