// SPDX-License-Identifier: MIT
#include "GuardedCommand.h"

#include "ClientOptions.h"
#include "ExitCode.h"
#include "ProcessTree.h"

#include <octostore/client/Authority.h>
#include <octostore/config/Sources.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace octostore::program
{

namespace
{

/// How late a guardian may be before it counts as stuck. With the margin of the kill instant that
/// leaves 150 ms of authority.
constexpr Milliseconds guardianSlack{100};
/// The same for a stop while the authority lasts: there is no hurry.
constexpr Milliseconds stopSlack{2000};
constexpr Milliseconds orphanInterval{20};
constexpr std::chrono::seconds onLostPatience{10};

/// The shell command runs beside the end of the work, which it must not delay.
pid_t spawnShell(const std::string& command, std::vector<std::string> environment)
{
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &pipe);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    std::string shell = "sh";
    std::string flag = "-c";
    std::string text = command;
    char* const words[] = {shell.data(), flag.data(), text.data(), nullptr};
    std::vector<char*> variables;
    for (std::string& entry : environment)
        variables.push_back(entry.data());
    variables.push_back(nullptr);
    pid_t pid = 0;
    if (::posix_spawn(&pid, "/bin/sh", &actions, &attributes, words, variables.data()) != 0)
        pid = 0;
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    return pid;
}

} // namespace

Result<std::unique_ptr<GuardedCommand>>
GuardedCommand::prepare(Settings settings, DeadlineFile file, const Clock& clock)
{
    // The guardian refers to the orders in its own copy of this memory.
    auto kept = std::make_unique<Settings>(std::move(settings));
    const auto guardian = launchGuardian(kept->orders, kept->containment);
    if (!guardian)
        return guardian.error();
    return std::unique_ptr<GuardedCommand>(
        new GuardedCommand(std::move(kept), std::move(file), *guardian, clock));
}

GuardedCommand::GuardedCommand(std::unique_ptr<Settings> settings, DeadlineFile file,
                               const LaunchedGuardian& guardian, const Clock& clock)
    : _settings(std::move(settings)), _file(std::move(file)), _guardian(guardian), _clock(clock)
{
}

GuardedCommand::~GuardedCommand()
{
    ::close(_guardian.socket);
}

void GuardedCommand::start(const client::LeaseFacts& lease, BootTime deadline)
{
    _started = true;
    _term = lease.term;
    _file.write(deadline, _clock.now());
    _guardianKillAt = client::stopTimes(deadline, _settings->orders.killAfter).kill;
    order(Order::Kind::Start, deadline);
}

void GuardedCommand::extend(BootTime deadline)
{
    order(Order::Kind::Extend, deadline);
    _file.write(deadline, _clock.now());
}

void GuardedCommand::stop(Stop how, BootTime now)
{
    const GuardianOrders& orders = _settings->orders;
    switch (how)
    {
    case Stop::InTime:
        // A signal that was passed on has asked already.
        order(Order::Kind::StopInTime, {}, _asked ? 0 : SIGTERM);
        return enforceBy(now + orders.stopTimeout + orders.killAfter + stopSlack);
    case Stop::Politely:
        order(Order::Kind::StopPolitely, {});
        return enforceBy(now + orders.killAfter + stopSlack);
    case Stop::AtOnce:
        order(Order::Kind::StopAtOnce, {});
        return enforceBy(now);
    }
}

bool GuardedCommand::signal(int number)
{
    order(Order::Kind::Interrupt, {}, number);
    const bool asks = number == SIGTERM || number == SIGINT || number == SIGHUP;
    // Many a program takes SIGHUP for something else.
    _asked = _asked || (asks && number != SIGHUP);
    return asks;
}

void GuardedCommand::lost(const std::string& reason)
{
    if (_settings->onLost.empty())
        return;
    _onLost = spawnShell(_settings->onLost, onLostEnvironment(reason));
    if (_onLost == 0)
        complain("the command of --on-lost cannot be started");
}

/// Like the command's own. Not with setenv(): other threads may read the environment now.
std::vector<std::string> GuardedCommand::onLostEnvironment(const std::string& reason) const
{
    const GuardianOrders& orders = _settings->orders;
    auto variables = config::readEnvironment(environ);
    for (const auto& [name, value] : orders.environment)
        variables[name] = value;
    for (const std::string& name : orders.removed)
        variables.erase(name);
    variables["OCTOSTORE_TERM"] = std::to_string(_term);
    variables["OCTOSTORE_REASON"] = reason;
    std::vector<std::string> result;
    for (const auto& [name, value] : variables)
        result.push_back(name + "=" + value);
    return result;
}

std::optional<int> GuardedCommand::exitCode() const
{
    if (!_started)
        return std::nullopt;
    if (!_status)
        return ExitFailure;
    return WIFSIGNALED(*_status) ? exitOfSignal(WTERMSIG(*_status)) : WEXITSTATUS(*_status);
}

std::vector<pollfd> GuardedCommand::wanted() const
{
    if (_reaped)
        return {};
    return {{_guardian.socket, POLLIN, 0}};
}

void GuardedCommand::advance(BootTime now)
{
    if (!_reaped)
        readNotices();
    if (_gone)
        _file.remove(); // nobody reads it any more
    if (!_started || _gone)
        return;
    const BootTime by = std::min(_guardianKillAt, _stopBy.value_or(_guardianKillAt));
    if (!_reaped && !_enforced && now >= by + guardianSlack)
    {
        _enforced = true;
        ::kill(_guardian.pid, SIGKILL);
    }
    if (_reaped)
        clearOrphans();
    if (_gone)
        _file.remove();
}

std::optional<BootTime> GuardedCommand::next() const
{
    if (!_started || _gone)
        return std::nullopt;
    if (_reaped)
        return _clock.bootTime() + orphanInterval;
    if (_enforced)
        return std::nullopt; // the end of the socket wakes us
    return std::min(_guardianKillAt, _stopBy.value_or(_guardianKillAt)) + guardianSlack;
}

void GuardedCommand::finish()
{
    if (_settings->orders.foreground)
        ::tcsetpgrp(STDIN_FILENO, ::getpgrp());
    _file.remove();
    if (_settings->orders.cgroup)
        _settings->orders.cgroup->remove();
    const auto end = std::chrono::steady_clock::now() + onLostPatience;
    while (_onLost != 0 && ::waitpid(_onLost, nullptr, WNOHANG) == 0 &&
           std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(orphanInterval);
}

void GuardedCommand::order(Order::Kind kind, BootTime deadline, int value)
{
    const client::StopTimes times = client::stopTimes(deadline, _settings->orders.killAfter);
    const Order message{kind, value, _term, toNanoseconds(times.terminate),
                        toNanoseconds(times.kill)};
    // A guardian that does not read is dealt with when it has not acted in time.
    ::send(_guardian.socket, &message, sizeof message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

void GuardedCommand::readNotices()
{
    for (;;)
    {
        Notice notice;
        const ssize_t got = ::recv(_guardian.socket, &notice, sizeof notice, MSG_DONTWAIT);
        if (got == static_cast<ssize_t>(sizeof notice))
            take(notice);
        else if (got < 0 && errno == EAGAIN)
            return;
        // A reset only says that our last orders were not read; notices may still lie here.
        else if (got == 0 || (errno != EINTR && errno != ECONNRESET))
            return guardianGone();
    }
}

void GuardedCommand::take(const Notice& notice)
{
    switch (notice.kind)
    {
    case Notice::Kind::Extended:
        _guardianKillAt = toBootTime(notice.killAt);
        return;
    case Notice::Kind::Ended:
        _status = notice.value;
        return;
    case Notice::Kind::Gone:
        _saidGone = true;
        return;
    case Notice::Kind::Ready:
    case Notice::Kind::Failed:
        return;
    }
}

void GuardedCommand::guardianGone()
{
    // In a namespace this returns only when everything in it is gone: the kernel sees to that.
    ::waitpid(_guardian.pid, nullptr, 0);
    _reaped = true;
    _guardianDied = !_saidGone;
    _gone = _saidGone || _guardian.containment == Containment::Namespace;
    if (_started && !_status && !_enforced)
        complain("the guardian of the command was killed; so is the command");
    else if (_enforced)
        complain(
            "the guardian of the command did not react in time; it was killed, with the command");
}

void GuardedCommand::enforceBy(BootTime instant)
{
    _stopBy = std::min(_stopBy.value_or(instant), instant);
}

/// What a guardian leaves behind comes to us: we are a child subreaper too.
void GuardedCommand::clearOrphans()
{
    if (_settings->orders.cgroup)
        _settings->orders.cgroup->kill();
    signalDescendants(::getpid(), SIGKILL, _onLost);
    bool left = false;
    for (;;)
    {
        const pid_t pid = ::waitpid(-1, nullptr, WNOHANG);
        if (pid == _onLost && pid > 0)
            _onLost = 0;
        if (pid > 0)
            continue;
        left = pid == 0;
        break;
    }
    // Only the command of --on-lost may be left, with its own.
    if (left && _onLost != 0)
        left = !descendantsOf(::getpid(), _onLost).empty();
    _gone = !left;
}

} // namespace octostore::program
