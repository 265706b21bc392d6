// SPDX-License-Identifier: MIT
#include "RunOptions.h"

#include "ClientOptions.h"
#include "PrivateSession.h"

#include <octostore/base/ErrnoText.h>
#include <octostore/client/Authority.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <utility>

#include <fcntl.h>

namespace octostore::program
{

namespace
{

using client::HoldKind;

Error wrong(std::string what)
{
    return {ErrorCode::InvalidInput, std::move(what)};
}

Result<void> readSubject(const Options& options, RunOptions& run)
{
    if (options.has("election") == options.has("lock"))
        return wrong("give --election ROOM or --lock NAME");
    run.kind = options.has("election") ? HoldKind::Election : HoldKind::Lock;
    run.name = options.value(run.kind == HoldKind::Election ? "election" : "lock");
    run.candidate = options.value("candidate");
    if (run.name.empty())
        return wrong("the name is empty");
    if (run.kind == HoldKind::Election && run.candidate.empty())
        return wrong("--candidate ID is needed");
    if (run.kind == HoldKind::Lock && options.has("candidate"))
        return wrong("--candidate is for elections");
    return {};
}

Result<void> readStops(const Options& options, RunOptions& run)
{
    const auto killAfter = readDuration(options, "kill-after", run.killAfter);
    if (!killAfter)
        return killAfter.error();
    const auto stopTimeout = readDuration(options, "stop-timeout", run.stopTimeout);
    if (!stopTimeout)
        return stopTimeout.error();
    run.killAfter = *killAfter;
    run.stopTimeout = *stopTimeout;
    // A lock ends with its session, whatever its own TTL is.
    const std::chrono::seconds ttl =
        run.kind == HoldKind::Lock ? std::min(run.ttl, PrivateSession::ttl) : run.ttl;
    if (!client::leavesTimeToWork(ttl, run.killAfter))
        return wrong("a TTL of " + std::to_string(ttl.count()) +
                     " s leaves less than 1 s before "
                     "the command must be asked to end; make --ttl longer or --kill-after shorter");
    return {};
}

} // namespace

std::vector<Option> knownRunOptions()
{
    return std::vector<Option>{
               {"election", 0, "ROOM", "run while we lead this room"},
               {"candidate", 0, "ID", "who we are in the election"},
               {"lock", 0, "NAME", "run while we hold this lock"},
               {"ttl", 0, "DURATION", "of the lease; default 30s for elections, 120s for locks"},
               {"acquire-timeout", 0, "DURATION", "give up waiting; default: never"},
               {"no-wait", 0, "", "try once"},
               {"kill-after", 0, "DURATION", "from TERM to KILL; default 1s"},
               {"stop-timeout", 0, "DURATION",
                "for the command to end after a signal, while the lease lasts; default 10s"},
               {"on-lost", 0, "COMMAND", "for sh, when the lease is lost or uncertain"},
               {"events", 0, "FILE|FD", "JSON lines of what happens"},
               {"isolation", 0, "LEVEL",
                "what keeps the processes together: auto, namespace, cgroup, group"},
           } +
           clientOptions();
}

Result<RunOptions> readRunOptions(const Options& options, std::vector<std::string> command)
{
    RunOptions run;
    if (!options.arguments().empty() || command.empty())
        return wrong("give the command behind --");
    run.command = std::move(command);
    if (const auto subject = readSubject(options, run); !subject)
        return subject.error();
    const auto hold = readHoldOptions(options, run.kind);
    if (!hold)
        return hold.error();
    run.ttl = hold->ttl;
    run.acquireTimeout = hold->acquireTimeout;
    if (options.has("no-wait"))
    {
        if (run.acquireTimeout)
            return wrong("--no-wait and --acquire-timeout exclude each other");
        run.acquireTimeout = Milliseconds(0);
    }
    if (const auto stops = readStops(options, run); !stops)
        return stops.error();
    run.onLost = options.value("on-lost");
    if (options.has("isolation"))
    {
        const auto choice = parseContainment(options.value("isolation"));
        if (!choice)
            return choice.error();
        run.containment = *choice;
    }
    return run;
}

Result<int> openEvents(const std::string& target)
{
    if (target.empty())
        return -1;
    int number = -1;
    const char* const end = target.data() + target.size();
    const auto [rest, fault] = std::from_chars(target.data(), end, number);
    if (fault == std::errc() && rest == end && number >= 0)
    {
        const int flags = ::fcntl(number, F_GETFD);
        if (flags < 0)
            return wrong("--events " + target + ": this descriptor is not open");
        // Standard output and error are for the command as well.
        if (number > 2)
            ::fcntl(number, F_SETFD, flags | FD_CLOEXEC);
        return number;
    }
    constexpr mode_t mode = 0600;
    const int file = ::open(target.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, mode);
    if (file < 0)
        return wrong("--events " + target + ": " + errnoText(errno));
    return file;
}

} // namespace octostore::program
