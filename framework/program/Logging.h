// SPDX-License-Identifier: MIT
/// @file
/// The log as the configuration wants it.
#pragma once

#include <octostore/base/Log.h>
#include <octostore/config/Config.h>

#include <memory>

namespace octostore::program
{

/// Writes to standard error: `log.format` auto is text on a terminal and JSON elsewhere.
std::shared_ptr<LogSink> openLog(const config::View& configuration);
/// Of `log.level`; the key allows nothing else.
LogLevel logLevelOf(const config::View& configuration);

} // namespace octostore::program
