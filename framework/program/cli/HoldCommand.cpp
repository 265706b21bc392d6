// SPDX-License-Identifier: MIT
#include "ElectionClaim.h"
#include "ExitCode.h"
#include "HoldLoop.h"
#include "LockClaim.h"
#include "OneShot.h"
#include "Subject.h"

#include <csignal>
#include <iostream>

#include <unistd.h>

namespace octostore::program
{

namespace
{

using client::HoldKind;

int help(HoldKind kind, const std::vector<Option>& known)
{
    std::cout << "octostore " << client::toText(kind)
              << " hold NAME: waits until it is ours, renews it, and gives it back at the end.\n"
                 "It exits 0 or 128 + signal when it was given back, 11 when it was not to be had\n"
                 "in time, 20 when it is lost or uncertain, 64 when something is wrong with what "
                 "was asked.\n\n"
              << Options::describe(known);
    return ExitOk;
}

int hold(Subject& subject, const HoldOptions& holdOptions, const std::string& candidate)
{
    const SystemClock clock;
    SystemRandom random;
    Wakeups wakeups({SIGINT, SIGTERM, SIGHUP});
    Calls calls(subject.http, clock, wakeups.notifier());
    LineOutput output(STDOUT_FILENO);
    const client::HoldSubject about{subject.kind, subject.name, subject.options.server.text(),
                                    candidate};
    const auto report =
        subject.options.json
            ? makeJsonReport(about, output, clock)
            : makeTextReport(about, output,
                             ::isatty(STDOUT_FILENO) != 0 ? TextStyle::Live : TextStyle::Full);
    std::optional<PrivateSession> session;
    std::unique_ptr<Claim> claim;
    if (subject.kind == HoldKind::Lock)
    {
        session.emplace(*subject.token);
        claim =
            std::make_unique<LockClaim>(subject.name, holdOptions.ttl, *session, *subject.token);
    }
    else
        claim = std::make_unique<ElectionClaim>(subject.name, candidate, holdOptions.ttl, random);
    NoWork work;
    HoldSettings settings;
    settings.ttl = holdOptions.ttl;
    settings.acquireTimeout = holdOptions.acquireTimeout;
    settings.requestTimeout = subject.options.requestTimeout;
    settings.shutdownTimeout = subject.options.shutdownTimeout;
    HoldLoop loop({*claim, session ? &*session : nullptr, calls, wakeups, output, *report, work,
                   nullptr, clock, random},
                  settings);
    leave(loop.run());
}

} // namespace

std::vector<Option> knownHoldOptions(HoldKind kind)
{
    std::vector<Option> known;
    if (kind == HoldKind::Election)
        known.push_back({"candidate", 0, "ID", "who we are: 1..64 of A-Z a-z 0-9 . _ : @ -"});
    return known + holdOptions(kind) + clientOptions();
}

int holdCommand(const Words& arguments, HoldKind kind)
{
    const std::vector<Option> known = knownHoldOptions(kind);
    const auto options = Options::parse(known, arguments);
    if (!options)
        return usageError(options.error().message, std::string(client::toText(kind)) + " hold");
    if (options->has("help"))
        return help(kind, known);
    const std::string candidate = options->value("candidate");
    if (kind == HoldKind::Election && candidate.empty())
        return usageError("--candidate ID is needed", "election hold");
    const auto read = readHoldOptions(*options, kind);
    if (!read)
        return refuse(read.error());
    const auto opened = openSubject(*options, kind, Secrecy::Secret);
    return opened.subject ? hold(*opened.subject, *read, candidate) : opened.exitCode;
}

} // namespace octostore::program
