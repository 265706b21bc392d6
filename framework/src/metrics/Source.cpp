// SPDX-License-Identifier: MIT
#include <octostore/metrics/Source.h>

namespace octostore::metrics
{

Sink::~Sink() = default;
Source::~Source() = default;

} // namespace octostore::metrics
