// SPDX-License-Identifier: MIT
#include "Wakeups.h"

#include <octostore/base/Assert.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <ctime>

#include <fcntl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

namespace octostore::program
{

namespace
{

/// A descriptor below 3 that is not open would be given to the next file that is.
void openStandardStreams()
{
    int descriptor = 0;
    do
        descriptor = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor >= 0)
        ::close(descriptor);
}

bool isIgnored(int signal)
{
    struct sigaction action = {};
    return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

} // namespace

Wakeups::Wakeups(const std::vector<int>& signals)
{
    openStandardStreams();
    ::signal(SIGPIPE, SIG_IGN);
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : signals)
        if (signal != SIGHUP || !isIgnored(SIGHUP))
            sigaddset(&set, signal);
    ::pthread_sigmask(SIG_BLOCK, &set, &_formerMask);
    _signals = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    _timer = ::timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    OCTOSTORE_ASSERT(_signals >= 0 && _timer >= 0);
}

Wakeups::~Wakeups()
{
    ::close(_signals);
    ::close(_timer);
}

Wakeups::Happened Wakeups::wait(std::optional<BootTime> until, const std::vector<pollfd>& asked)
{
    arm(until);
    // Without events only errors are reported: for a pipe that its reader has gone.
    std::vector<pollfd> polled{{_signals, POLLIN, 0},
                               {_timer, POLLIN, 0},
                               {_notifier->descriptor(), POLLIN, 0},
                               {_outputClosed ? -1 : STDOUT_FILENO, 0, 0}};
    const auto fixed = static_cast<std::ptrdiff_t>(polled.size());
    polled.insert(polled.end(), asked.begin(), asked.end());
    Happened happened;
    if (::poll(polled.data(), polled.size(), -1) <= 0)
        return happened;
    if (polled[0].revents != 0)
        happened.signals = readSignals();
    std::uint64_t expirations = 0;
    [[maybe_unused]] const ssize_t got = ::read(_timer, &expirations, sizeof expirations);
    _notifier->clear();
    happened.outputClosed = (polled[3].revents & (POLLERR | POLLHUP)) != 0;
    _outputClosed = _outputClosed || happened.outputClosed;
    std::copy_if(polled.begin() + fixed, polled.end(), std::back_inserter(happened.ready),
                 [](const pollfd& one) { return one.revents != 0; });
    return happened;
}

void Wakeups::arm(std::optional<BootTime> until) const
{
    itimerspec spec = {};
    if (until)
    {
        // 0 would disarm it.
        const std::int64_t instant = std::max<std::int64_t>(until->time_since_epoch().count(), 1);
        constexpr std::int64_t second = 1'000'000'000;
        spec.it_value.tv_sec = instant / second;
        spec.it_value.tv_nsec = instant % second;
    }
    ::timerfd_settime(_timer, TFD_TIMER_ABSTIME, &spec, nullptr);
}

std::vector<int> Wakeups::readSignals() const
{
    std::vector<int> result;
    signalfd_siginfo info = {};
    while (::read(_signals, &info, sizeof info) == static_cast<ssize_t>(sizeof info))
        result.push_back(static_cast<int>(info.ssi_signo));
    return result;
}

} // namespace octostore::program
