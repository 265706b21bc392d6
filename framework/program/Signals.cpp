// SPDX-License-Identifier: MIT
#include "Signals.h"

#include <csignal>
#include <optional>
#include <utility>

#include <pthread.h>
#include <unistd.h>

namespace octostore::program
{

namespace
{

// Nobody else uses it; sent to our own thread only.
constexpr int wakeSignal = SIGUSR2;

sigset_t handledSignals()
{
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, wakeSignal})
        sigaddset(&set, signal);
    return set;
}

} // namespace

void Signals::block()
{
    const sigset_t set = handledSignals();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    // A limit on the size of files is one more way for a disk to be full.
    std::signal(SIGXFSZ, SIG_IGN);
}

Signals::Signals(Wishes& wishes, Logger logger, std::chrono::milliseconds closely)
    : _wishes(wishes), _logger(std::move(logger)), _closely(closely), _thread([this] { run(); })
{
}

Signals::~Signals()
{
    pthread_kill(_thread.native_handle(), wakeSignal);
    _thread.join();
}

void Signals::run()
{
    using SteadyClock = std::chrono::steady_clock;
    const sigset_t set = handledSignals();
    std::optional<SteadyClock::time_point> first;
    int signal = 0;
    while (sigwait(&set, &signal) == 0 && signal != wakeSignal)
    {
        if (signal == SIGHUP)
            _wishes.post(Wish::Reload);
        else if (!first)
        {
            first = SteadyClock::now();
            _wishes.post(Wish::Stop);
        }
        else if (SteadyClock::now() - *first >= _closely)
        {
            _logger.warning("second signal; not waiting any longer", {{"signal", signal}});
            _exit(128 + signal);
        }
    }
}

} // namespace octostore::program
