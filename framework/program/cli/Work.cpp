// SPDX-License-Identifier: MIT
#include "Work.h"

namespace octostore::program
{

Work::~Work() = default;

} // namespace octostore::program
