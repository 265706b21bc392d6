// SPDX-License-Identifier: MIT
#include "cli/RestoreCommand.h"

#include "ClientOptions.h"
#include "ExitCode.h"
#include "ServerOptions.h"
#include "ServerParts.h"
#include "Settings.h"
#include "coordination/RestorePlan.h"

#include <octostore/backend/Backend.h>
#include <octostore/base/ErrnoText.h>
#include <octostore/base/Json.h>
#include <octostore/base/Random.h>

#include <Poco/DateTime.h>
#include <Poco/DateTimeFormat.h>
#include <Poco/DateTimeParser.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iostream>

#include <unistd.h>

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
    {"json", 0, "", "say what was restored as one JSON object", false},
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

/// What there is now.
struct Restored
{
    backend::RestoreReport report;
    std::string backup;
    std::string database;
    Uuid incarnation;
    Milliseconds wait{0}; ///< nothing new is granted for so long
    WallTime grantsAt;    ///< when that is over, unless this machine is restarted first

    /// The key that opens the secrets of webhooks is not there; empty: it is.
    std::string missingKey() const
    {
        const std::string key = database + ".webhooks.key";
        return std::filesystem::exists(key) ? std::string() : key;
    }
};

Result<Restored> restore(Settings& settings, backend::RestoreOrder& order, Milliseconds wait)
{
    for (const config::Problem& problem : settings.problems())
        return Error{ErrorCode::Configuration, problem.toString()};
    SystemClock clock;
    SystemRandom random;
    const plugin::Context context{
        settings.log().logger(""), settings.initial(), clock, random, nullptr, nullptr, nullptr};
    const auto factory = startBackend(settings, context);
    if (!factory)
        return factory.error();
    const Now now = clock.now();
    const Uuid incarnation = random.uuid();
    coordination::planRestore(order, incarnation, clock.identity(), now, wait);
    auto report = (*factory)->restore({settings.initial(), clock, context.logger}, order);
    settings.plugins().clear();
    if (!report)
        return report.error();
    return Restored{*std::move(report), order.from, settings.initial().text("storage.database"),
                    incarnation,        wait,       now.wall + wait};
}

void tell(const Restored& restored)
{
    const backend::RestoreReport& report = restored.report;
    if (!report.aside.empty())
        std::cout << "The store that was there is now " << report.aside << ".\n";
    std::cout << restored.database << " is restored. Terms go on above " << report.restored.value()
              << " (the backup ended at " << report.snapshot.value() << ").\n";
    if (restored.wait.count() > 0)
        std::cout << "Nothing new is granted for "
                  << std::chrono::ceil<std::chrono::minutes>(restored.wait).count()
                  << " minutes.\n";
    if (const std::string key = restored.missingKey(); !key.empty())
        std::cout << "If webhooks have secrets, copy the old server's key file to " << key << ".\n";
}

void tellAsJson(const Restored& restored)
{
    const auto orNull = [](const std::string& text)
    { return text.empty() ? std::nullopt : std::optional(text); };
    const backend::RestoreReport& report = restored.report;
    JsonWriter json;
    json.beginObject()
        .field("backup", restored.backup)
        .field("database", restored.database)
        .field("replaced", orNull(report.aside))
        .field("incarnation", restored.incarnation.toString())
        .field("backup_revision", report.snapshot.value())
        .field("terms_above", report.restored.value())
        .field("grants_at", restored.wait.count() > 0 ? std::optional(toRfc3339(restored.grantsAt))
                                                      : std::nullopt)
        .field("missing_webhooks_key", orNull(restored.missingKey()))
        .endObject();
    std::cout << json.take() << "\n";
}

int fail(const Error& error)
{
    const bool inTheWay = error.code == ErrorCode::Conflict;
    complain(error.message + (inTheWay ? " --to names another, --force puts it aside." : ""));
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
        return usageError(given.error().message, "restore");
    const Options& options = given->options;
    if (options.has("help"))
    {
        std::cout << restoreHelp << Options::describe(restoreOptions());
        return ExitOk;
    }
    const auto from = onlyOf(options, options.arguments(), {"from"});
    const auto database = onlyOf(options, {}, {"database", "to"});
    if (!from || !database)
        return usageError((from ? database : from).error().message, "restore");
    if (from->empty())
        return usageError("restore needs the FILE of a backup", "restore");
    const auto wait = waitOf(options, SystemClock().wallTime());
    if (!wait)
        return usageError(wait.error().message, "restore");

    if (!database->empty())
        given->sources.settings.push_back("storage.database=" + *database);
    // First, so that nobody makes room for what is not there.
    if (::access(from->c_str(), R_OK) != 0)
        return refuse({ErrorCode::InvalidInput, *from + ": " + errnoText(errno)});
    Settings settings(given->sources, Settings::Log::Silent);
    backend::RestoreOrder order;
    order.from = std::filesystem::absolute(*from).string();
    order.replace = options.has("force");
    const auto restored = restore(settings, order, *wait);
    if (!restored)
        return fail(restored.error());
    if (options.has("json"))
        tellAsJson(*restored);
    else
        tell(*restored);
    return ExitOk;
}

} // namespace octostore::program
