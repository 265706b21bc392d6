// SPDX-License-Identifier: MIT
#include "LogFigures.h"

#include <array>
#include <string>
#include <utility>

namespace octostore::program
{

namespace
{

/// As the lines themselves name them.
constexpr std::array<std::pair<LogLevel, const char*>, 4> countedLevels{
    {{LogLevel::Debug, "debug"},
     {LogLevel::Info, "info"},
     {LogLevel::Warning, "warn"},
     {LogLevel::Error, "error"}}};

} // namespace

void LogFigures::collect(metrics::Sink& sink) const noexcept
{
    for (const auto& [level, name] : countedLevels)
        sink.counter({"octostore_log_messages_total", "Lines written to the log."},
                     static_cast<double>(_log.written(level)), {{"level", name}});
}

} // namespace octostore::program
