// SPDX-License-Identifier: MIT
#include "Guardian.h"

#include "ExitCode.h"
#include "ProcessTree.h"

#include <octostore/base/ErrnoText.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

// The guardian is a process of one thread.
// NOLINTBEGIN(concurrency-mt-unsafe)

namespace octostore::program
{

namespace
{

/// Nobody else sends this one: TERM may come from a supervisor that means everybody.
const int parentDied = SIGRTMIN + 1;

/// Between two rounds of killing: forks may have slipped through.
constexpr Milliseconds killInterval{20};

} // namespace

Guardian::Guardian(const GuardianOrders& orders, Containment containment, int socket)
    : _orders(orders), _containment(containment), _socket(socket)
{
}

void Guardian::run()
{
    setUp();
    tell({Notice::Kind::Ready, 0, 0});
    while (!_done)
    {
        arm();
        pollfd polled[] = {{_socket, POLLIN, 0}, {_signals, POLLIN, 0}, {_timer, POLLIN, 0}};
        ::poll(polled, 3, -1);
        if (polled[1].revents != 0)
            readSignals();
        if (polled[0].revents != 0)
            readOrders();
        if (!_done)
            advance(_clock.bootTime());
    }
    tidyUp();
}

void Guardian::tidyUp() const
{
    if (_orders.cgroup)
        _orders.cgroup->remove();
    if (!_clientGone)
        return; // the client does the rest
    ::unlink((_orders.scratch + "/deadline").c_str());
    ::rmdir(_orders.scratch.c_str());
}

void Guardian::setUp()
{
    ::prctl(PR_SET_NAME, "octostore-guard");
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigset_t all;
    sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, nullptr);
    sigset_t ours;
    sigemptyset(&ours);
    sigaddset(&ours, SIGCHLD);
    sigaddset(&ours, parentDied);
    _signals = ::signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
    _timer = ::timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    // What the terminal sends to the client's group is the client's to forward.
    ::setpgid(0, 0);
    // A client that died before this shows in the socket.
    ::prctl(PR_SET_PDEATHSIG, parentDied);
}

void Guardian::arm() const
{
    itimerspec spec = {};
    if (const auto at = next())
    {
        constexpr std::int64_t second = 1'000'000'000;
        const std::int64_t instant = std::max<std::int64_t>(toNanoseconds(*at), 1);
        spec.it_value.tv_sec = instant / second;
        spec.it_value.tv_nsec = instant % second;
    }
    ::timerfd_settime(_timer, TFD_TIMER_ABSTIME, &spec, nullptr);
}

std::optional<BootTime> Guardian::next() const
{
    if (_command == 0)
        return std::nullopt;
    if (_killing)
        return _clock.bootTime() + killInterval;
    if (_terminated)
        return killInstant();
    return std::min({_terminateAt, killInstant(), _stopTerminateAt.value_or(_terminateAt)});
}

void Guardian::killBy(BootTime instant)
{
    _stopKillAt = std::min(_stopKillAt.value_or(instant), instant);
}

BootTime Guardian::killInstant() const
{
    return std::min(_killAt, _stopKillAt.value_or(_killAt));
}

void Guardian::readOrders()
{
    Order order;
    for (;;)
    {
        const ssize_t got = ::recv(_socket, &order, sizeof order, MSG_DONTWAIT);
        if (got == static_cast<ssize_t>(sizeof order))
            obey(order);
        else if (got < 0 && errno == EAGAIN)
            return;
        else if (got == 0 || (errno != EINTR && errno != ECONNRESET))
            return clientGone();
    }
}

void Guardian::obey(const Order& order)
{
    const BootTime now = _clock.bootTime();
    switch (order.kind)
    {
    case Order::Kind::Start:
        return start(order);
    case Order::Kind::Extend:
        // What has begun to end because time was up ends.
        if (_terminated || _killing)
            return;
        _terminateAt = toBootTime(order.terminateAt);
        _killAt = toBootTime(order.killAt);
        return tell({Notice::Kind::Extended, 0, order.killAt});
    case Order::Kind::Interrupt:
        if (_running)
            ::kill(-_command, order.value);
        return;
    case Order::Kind::StopInTime:
        if (order.value != 0)
            terminateCommand();
        _stopTerminateAt = now + _orders.stopTimeout;
        return killBy(now + _orders.stopTimeout + _orders.killAfter);
    case Order::Kind::StopPolitely:
        terminateCommand();
        return killBy(now + _orders.killAfter);
    case Order::Kind::StopAtOnce:
        return killBy(now);
    }
}

void Guardian::start(const Order& order)
{
    _terminateAt = toBootTime(order.terminateAt);
    _killAt = toBootTime(order.killAt);
    const pid_t child = ::fork();
    if (child == 0)
        becomeCommand(order.term);
    if (child < 0)
    {
        tell({Notice::Kind::Failed, errno, 0});
        _done = true;
        return;
    }
    ::setpgid(child, child); // both do it: neither knows who comes first
    _command = child;
    _running = true;
    tell({Notice::Kind::Extended, 0, order.killAt});
}

void Guardian::becomeCommand(std::uint64_t term) const
{
    ::setpgid(0, 0);
    if (_orders.foreground)
        ::tcsetpgrp(STDIN_FILENO, ::getpgrp());
    ::prctl(PR_SET_CHILD_SUBREAPER, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (_containment == Containment::Cgroup && !_orders.cgroup->enter())
    {
        std::fprintf(stderr, "octostore: the cgroup cannot be entered: %s\n",
                     errnoText(errno).c_str());
        ::_exit(ExitNotExecutable);
    }
    for (const auto& [name, value] : _orders.environment)
        ::setenv(name.c_str(), value.c_str(), 1);
    ::setenv("OCTOSTORE_TERM", std::to_string(term).c_str(), 1);
    for (const std::string& name : _orders.removed)
        ::unsetenv(name.c_str());
    if (_orders.eventsDescriptor > STDERR_FILENO)
        ::close(_orders.eventsDescriptor);
    std::vector<char*> words;
    for (const std::string& word : _orders.command)
        words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    ::signal(SIGPIPE, SIG_DFL);
    ::sigprocmask(SIG_SETMASK, &_orders.formerMask, nullptr);
    ::execvp(words.front(), words.data());
    const int problem = errno;
    std::fprintf(stderr, "octostore: cannot run %s: %s\n", words.front(),
                 errnoText(problem).c_str());
    ::_exit(problem == ENOENT ? ExitNotFound : ExitNotExecutable);
}

void Guardian::clientGone()
{
    if (_clientGone)
        return;
    _clientGone = true;
    ::close(_socket);
    _socket = -1;
    if (_command == 0)
    {
        _done = true;
        return;
    }
    // Nobody renews any more: the rest of the authority is what there is.
    terminateCommand();
    killBy(_clock.bootTime() + _orders.killAfter);
}

void Guardian::readSignals()
{
    signalfd_siginfo info = {};
    while (::read(_signals, &info, sizeof info) == static_cast<ssize_t>(sizeof info))
        if (static_cast<int>(info.ssi_signo) == parentDied)
            clientGone();
    reap();
}

void Guardian::reap()
{
    for (;;)
    {
        int status = 0;
        const pid_t pid = ::waitpid(-1, &status, WNOHANG | WUNTRACED);
        if (pid == 0 || (pid < 0 && errno == EINTR))
            return;
        if (pid < 0)
            break;
        if (pid == _command && WIFSTOPPED(status))
        {
            // Leadership does not wait for whoever typed ^Z.
            if (_orders.foreground && WSTOPSIG(status) != SIGSTOP)
                ::kill(-_command, SIGCONT);
        }
        else if (pid == _command)
            noteStatus(status);
    }
    if (_command == 0)
        return;
    // No child, and every orphan below us would be one: nothing is left.
    tell({Notice::Kind::Gone, 0, 0});
    _done = true;
}

void Guardian::noteStatus(int status)
{
    _running = false;
    tell({Notice::Kind::Ended, status, 0});
    // Nobody leads what is left any more, so each is told.
    terminateAll();
    killBy(_clock.bootTime() + _orders.killAfter);
}

void Guardian::advance(BootTime now)
{
    if (_command == 0)
        return;
    if (_killing || now >= killInstant())
    {
        _killing = true;
        killAll();
        return;
    }
    const bool lapsed = now >= _terminateAt;
    const bool stopping = _stopTerminateAt && now >= *_stopTerminateAt;
    if (_terminated || (!lapsed && !stopping))
        return;
    terminateCommand();
    _stopTerminateAt.reset();
    _terminated = lapsed;
}

void Guardian::terminateCommand()
{
    if (!_running)
        return;
    ::kill(-_command, SIGTERM);
    ::kill(-_command, SIGCONT); // a stopped one could not hear it
}

void Guardian::terminateAll() const
{
    for (const int signal : {SIGTERM, SIGCONT})
        if (_containment == Containment::Namespace)
            ::kill(-1, signal);
        else
            signalDescendants(::getpid(), signal);
}

void Guardian::killAll() const
{
    if (_containment == Containment::Namespace)
    {
        ::kill(-1, SIGKILL);
        return;
    }
    if (_containment == Containment::Cgroup)
        _orders.cgroup->kill();
    if (_running)
        ::kill(-_command, SIGKILL);
    signalDescendants(::getpid(), SIGKILL);
}

void Guardian::tell(const Notice& notice) const
{
    if (_socket >= 0)
        ::send(_socket, &notice, sizeof notice, MSG_DONTWAIT | MSG_NOSIGNAL);
}

} // namespace octostore::program

// NOLINTEND(concurrency-mt-unsafe)
