// SPDX-License-Identifier: MIT
#include "Logging.h"

#include <unistd.h>

namespace octostore::program
{

std::shared_ptr<LogSink> openLog(const config::View& configuration)
{
    const std::string format = configuration.text("log.format");
    const bool forPeople = format == "text" || (format == "auto" && isatty(STDERR_FILENO) == 1);
    return LogSink::open(forPeople ? LogFormat::Text : LogFormat::Json, logLevelOf(configuration));
}

LogLevel logLevelOf(const config::View& configuration)
{
    const auto level = parseLogLevel(configuration.text("log.level"));
    return level ? *level : LogLevel::Info;
}

} // namespace octostore::program
