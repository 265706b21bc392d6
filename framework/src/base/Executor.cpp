// SPDX-License-Identifier: MIT
#include <octostore/base/Executor.h>

namespace octostore
{

Executor::~Executor() = default;

} // namespace octostore
