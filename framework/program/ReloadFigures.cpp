// SPDX-License-Identifier: MIT
#include "ReloadFigures.h"

#include <chrono>

namespace octostore::program
{

void ReloadFigures::count(bool succeeded, WallTime at) noexcept
{
    _successful.set(succeeded ? 1 : 0);
    if (succeeded)
        _succeededAt.set(
            std::chrono::duration_cast<std::chrono::seconds>(at.time_since_epoch()).count());
}

void ReloadFigures::collect(metrics::Sink& sink) const noexcept
{
    sink.add({"octostore_config_last_reload_successful",
              "1 when the configuration that was read last holds."},
             _successful);
    sink.add({"octostore_config_last_reload_success_timestamp_seconds",
              "When the configuration that holds was read, in unix time."},
             _succeededAt);
}

} // namespace octostore::program
