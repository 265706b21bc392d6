// SPDX-License-Identifier: MIT
#include "cli/RestoreCommand.h"

#include "ExitCode.h"
#include "ServerOptions.h"
#include "ServerParts.h"
#include "Settings.h"
#include "coordination/RestorePlan.h"

#include <octostore/backend/Backend.h>
#include <octostore/base/Random.h>

#include <Poco/DateTime.h>
#include <Poco/DateTimeFormat.h>
#include <Poco/DateTimeParser.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace octostore::program
{

namespace
{

const std::vector<Option> ownRestoreOptions = {
    {"from", 0, "FILE", "the backup", false},
    {"database", 0, "FILE", "the store to make; else storage.database", false},
    {"to", 0, "FILE", "the same as --database", false},
    {"old-server-stopped-at", 0, "TIME",
     "when the server before stopped, as 2026-08-03T01:02:03Z; default: now", false},
    {"grant-now", 0, "",
     "do not wait until leases from before must be over: only if nobody has one", false},
    {"force", 0, "", "put a store that is there aside", false},
    {"help", 'h', "", "print this", false},
};

constexpr const char* restoreHelp =
    "A store made from a backup.\n\n"
    "Usage: octostore restore FILE [OPTIONS]\n\n"
    "Terms go on above everything that was ever given out, and every lease in the backup gets its\n"
    "full time again. Until an hour after the old server stopped nothing new is granted: it may\n"
    "have granted leases after the backup was taken.\n\n"
    "Webhooks with a secret need the old server's key (its file DATABASE.webhooks.key) beside the\n"
    "new store under its new name, or webhooks.secret_key. Without it they are inactive.\n\n";

/// How long to wait from `now` on. Errors: InvalidInput.
Result<Milliseconds> waitOf(const Options& options, WallTime now)
{
    if (options.has("grant-now"))
        return Milliseconds(0);
    Milliseconds wait = coordination::leaseTtlMax;
    const std::string text = options.value("old-server-stopped-at");
    if (!options.has("old-server-stopped-at"))
        return wait;
    Poco::DateTime parsed;
    int zone = 0;
    if (text.find('T') == std::string::npos ||
        !Poco::DateTimeParser::tryParse(Poco::DateTimeFormat::ISO8601_FRAC_FORMAT, text, parsed,
                                        zone))
        return Error{ErrorCode::InvalidInput,
                     "--old-server-stopped-at needs a time as 2026-08-03T01:02:03Z"};
    parsed.makeUTC(zone);
    // In microseconds: nanoseconds end in the year 2262, and what is later would look like the
    // past.
    const auto passed = std::chrono::floor<std::chrono::microseconds>(now.time_since_epoch()) -
                        std::chrono::microseconds(parsed.timestamp().epochMicroseconds());
    if (passed.count() < 0)
        return Error{ErrorCode::InvalidInput, "--old-server-stopped-at lies in the future"};
    wait -= std::chrono::floor<Milliseconds>(passed);
    return std::max(wait, Milliseconds(0));
}

/// The one word there should be, from an option of these names or as an argument.
Result<std::string> onlyOf(const Options& options, Words given,
                           std::initializer_list<const char*> names)
{
    for (const char* name : names)
        if (options.has(name))
            given.push_back(options.value(name));
    if (given.size() > 1)
        return Error{ErrorCode::InvalidInput, "restore takes one backup and one database"};
    return given.empty() ? std::string() : given.front();
}

/// Its backend's plugin is loaded and has offered its factory. Errors: one line.
Result<backend::BackendFactory*> startBackend(Settings& settings, const plugin::Context& context)
{
    for (const config::Problem& problem : settings.problems())
        return Error{ErrorCode::Configuration, problem.toString()};
    const std::vector<std::string> group{settings.names().backend};
    plugin::PluginHost& plugins = settings.plugins();
    if (auto configured = plugins.configure(group, context); !configured)
        return configured.error();
    if (auto started = plugins.start(group); !started)
        return started.error();
    auto* factory = chosen<backend::BackendFactory>(settings.registry(),
                                                    settings.initial().text("storage.backend"));
    if (factory == nullptr)
        return Error{ErrorCode::Configuration, "there is no such backend"};
    return factory;
}

Result<backend::RestoreReport> restore(Settings& settings, backend::RestoreOrder& order,
                                       Milliseconds wait)
{
    SystemClock clock;
    SystemRandom random;
    const plugin::Context context{
        settings.log().logger(""), settings.initial(), clock, random, nullptr, nullptr, nullptr};
    const auto factory = startBackend(settings, context);
    if (!factory)
        return factory.error();
    coordination::planRestore(order, random.uuid(), clock.identity(), clock.now(), wait);
    auto report = (*factory)->restore({settings.initial(), clock, context.logger}, order);
    settings.plugins().clear();
    return report;
}

int tell(const backend::RestoreReport& report, const std::string& database, Milliseconds wait)
{
    if (!report.aside.empty())
        std::cout << "The store that was there is now " << report.aside << ".\n";
    std::cout << database << " is restored. Terms go on above " << report.restored.value()
              << " (the backup ended at " << report.snapshot.value() << ").\n";
    if (wait.count() > 0)
        std::cout << "Nothing new is granted for "
                  << std::chrono::ceil<std::chrono::minutes>(wait).count() << " minutes.\n";
    const std::string key = database + ".webhooks.key";
    if (!std::filesystem::exists(key))
        std::cout << "If webhooks have secrets, copy the old server's key file to " << key << ".\n";
    return ExitOk;
}

int fail(const Error& error)
{
    std::cerr << "octostore: " << error.message << "\n";
    return error.code == ErrorCode::Configuration ? ExitConfiguration : ExitFailure;
}

} // namespace

std::vector<Option> restoreOptions()
{
    return withServerOptions(ownRestoreOptions);
}

int restoreCommand(const Words& arguments)
{
    auto given = readServerOptions(arguments, ownRestoreOptions);
    if (!given)
        return usageError(given.error().message);
    const Options& options = given->options;
    if (options.has("help"))
    {
        std::cout << restoreHelp << Options::describe(restoreOptions());
        return ExitOk;
    }
    const auto from = onlyOf(options, options.arguments(), {"from"});
    const auto database = onlyOf(options, {}, {"database", "to"});
    if (!from || !database)
        return usageError((from ? database : from).error().message);
    if (from->empty())
        return usageError("restore needs the FILE of a backup");
    const auto wait = waitOf(options, SystemClock().wallTime());
    if (!wait)
        return usageError(wait.error().message);

    if (!database->empty())
        given->sources.settings.push_back("storage.database=" + *database);
    Settings settings(given->sources, Settings::Log::Silent);
    backend::RestoreOrder order;
    order.from = std::filesystem::absolute(*from).string();
    order.replace = options.has("force");
    const auto report = restore(settings, order, *wait);
    if (!report)
        return fail(report.error());
    return tell(*report, settings.initial().text("storage.database"), *wait);
}

} // namespace octostore::program
