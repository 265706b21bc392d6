// SPDX-License-Identifier: MIT
#include "RunCommand.h"

#include "ElectionClaim.h"
#include "ExitCode.h"
#include "GuardedCommand.h"
#include "HoldLoop.h"
#include "LockClaim.h"
#include "OneShot.h"
#include "RunOptions.h"

#include <algorithm>
#include <csignal>
#include <iostream>
#include <utility>

#include <unistd.h>

namespace octostore::program
{

namespace
{

using client::HoldKind;

constexpr const char* description =
    "octostore run --election ROOM --candidate ID [OPTIONS] -- COMMAND [ARGUMENT...]\n"
    "octostore run --lock NAME [OPTIONS] -- COMMAND [ARGUMENT...]\n\n"
    "Waits until the lease is ours, starts COMMAND, renews, and stops COMMAND and everything that\n"
    "it started before the lease can be another's. Ends with COMMAND's own status, 11 when the\n"
    "lease was not to be had in time, 20 when it is lost or uncertain, 64 when something is wrong\n"
    "with what was asked.\n\n"
    "COMMAND finds in its environment: OCTOSTORE_KIND, OCTOSTORE_NAME, OCTOSTORE_TERM,\n"
    "OCTOSTORE_SERVER and OCTOSTORE_DEADLINE_FILE, a file with the deadline in milliseconds of\n"
    "CLOCK_BOOTTIME (as in /proc/uptime) and of Unix time.\n"
    "With --isolation namespace (auto takes it where it is allowed) it lives in a PID namespace;\n"
    "for users other than root that is a user namespace too, in which sudo does not work.\n\n";

bool usesTerminal()
{
    return ::isatty(STDIN_FILENO) != 0 && ::tcgetpgrp(STDIN_FILENO) == ::getpgrp();
}

GuardedCommand::Settings guardSettings(const RunOptions& run, const ClientOptions& client,
                                       const DeadlineFile& file, int events, const sigset_t& mask)
{
    GuardedCommand::Settings settings;
    settings.containment = run.containment;
    settings.onLost = run.onLost;
    GuardianOrders& orders = settings.orders;
    orders.command = run.command;
    orders.environment = {{"OCTOSTORE_KIND", std::string(client::toText(run.kind))},
                          {"OCTOSTORE_NAME", run.name},
                          {"OCTOSTORE_SERVER", client.server.text()},
                          {"OCTOSTORE_DEADLINE_FILE", file.path()}};
    orders.removed = {"OCTOSTORE_TOKEN", "OCTOSTORE_TOKEN_FILE"};
    orders.killAfter = run.killAfter;
    orders.stopTimeout = run.stopTimeout;
    orders.scratch = file.directory();
    orders.eventsDescriptor = events;
    orders.foreground = usesTerminal();
    orders.formerMask = mask;
    return settings;
}

HoldSettings loopSettings(const RunOptions& run, const ClientOptions& client)
{
    HoldSettings settings;
    settings.ttl = run.ttl;
    settings.acquireTimeout = run.acquireTimeout;
    settings.requestTimeout = client.requestTimeout;
    settings.shutdownTimeout = client.shutdownTimeout;
    settings.reserve = client::stopReserve(run.killAfter);
    settings.outputIsVital = false;
    return settings;
}

/// From here on there are threads.
int waitAndRun(const RunOptions& run, const ClientOptions& options, int events, const Clock& clock,
               Wakeups& wakeups, GuardedCommand& work)
{
    auto http = makeHttpClient(options);
    if (!http)
        return refuse(http.error());
    SystemRandom random;
    std::optional<client::TokenSource> token;
    std::optional<PrivateSession> session;
    std::unique_ptr<Claim> claim;
    if (run.kind == HoldKind::Lock)
    {
        auto opened = openToken();
        if (!opened)
            return refuse(opened.error());
        token = *std::move(opened);
        session.emplace(*token);
        claim = std::make_unique<LockClaim>(run.name, run.ttl, *session, *token);
    }
    else
        claim = std::make_unique<ElectionClaim>(run.name, run.candidate, run.ttl, random);
    Calls calls(*http, clock, wakeups.notifier());
    Watcher watcher(*http, *claim, wakeups.notifier());
    const bool json = events >= 0 || options.json;
    LineOutput output(events >= 0 ? events : STDERR_FILENO);
    const client::HoldSubject about{run.kind, run.name, options.server.text(), run.candidate};
    const auto report = json ? makeJsonReport(about, output, clock)
                             : makeTextReport(about, output, TextStyle::Brief);
    HoldLoop loop({*claim, session ? &*session : nullptr, calls, wakeups, output, *report, work,
                   &watcher, clock, random},
                  loopSettings(run, options));
    leave(loop.run());
}

int prepareAndRun(const RunOptions& run, const ClientOptions& client, int events)
{
    const SystemClock clock;
    Wakeups wakeups({SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGWINCH});
    auto file = DeadlineFile::create();
    if (!file)
    {
        complain(file.error().message);
        return ExitFailure;
    }
    auto work = GuardedCommand::prepare(
        guardSettings(run, client, *file, events, wakeups.formerMask()), *file, clock);
    if (!work)
    {
        file->remove();
        complain("the command cannot be guarded in this way here: " + work.error().message +
                 "; see octostore doctor");
        return ExitUsage;
    }
    const int exitCode = waitAndRun(run, client, events, clock, wakeups, **work);
    (*work)->finish();
    return exitCode;
}

} // namespace

int runCommand(const Words& arguments)
{
    const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
    const auto options = Options::parse(knownRunOptions(), Words(arguments.begin(), dashes));
    if (!options)
        return usageError(options.error().message, "run");
    if (options->has("help"))
    {
        std::cout << description << Options::describe(knownRunOptions());
        return ExitOk;
    }
    const Words command(dashes == arguments.end() ? dashes : dashes + 1, arguments.end());
    const auto run = readRunOptions(*options, command);
    if (!run)
        return usageError(run.error().message, "run");
    const auto client = readClientOptions(*options, run->kind, Secrecy::Secret);
    if (!client)
        return refuse(client.error());
    const auto events = openEvents(options->value("events"));
    if (!events)
        return refuse(events.error());
    return prepareAndRun(*run, *client, *events);
}

} // namespace octostore::program
