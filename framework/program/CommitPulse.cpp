// SPDX-License-Identifier: MIT
#include "CommitPulse.h"

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <utility>

#include <unistd.h>

namespace octostore::program
{

namespace
{

/// Runs what little there is to run on the thread that brings it.
class SameThreadExecutor final : public Executor
{
public:
    void post(std::vector<Task> tasks) noexcept override
    {
        for (const Task& task : tasks)
            task();
    }
};

std::optional<std::int64_t> number(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

} // namespace

std::optional<Milliseconds> CommitPulse::interval(const char* microseconds, const char* process,
                                                  int self)
{
    if (microseconds == nullptr || (process != nullptr && number(process) != self))
        return std::nullopt;
    const std::optional<std::int64_t> period = number(microseconds);
    // Half of less than two milliseconds is no time.
    if (!period || *period < 2000)
        return std::nullopt;
    return Milliseconds(*period / 2000);
}

std::optional<Milliseconds> CommitPulse::intervalFromEnvironment()
{
    return interval(std::getenv("WATCHDOG_USEC"), // NOLINT(concurrency-mt-unsafe)
                    std::getenv("WATCHDOG_PID"),  // NOLINT(concurrency-mt-unsafe)
                    getpid());
}

CommitPulse::CommitPulse(coordination::Coordinator& coordinator, const Clock& clock,
                         const Notify& notify, std::optional<Milliseconds> every)
    : _coordinator(coordinator), _clock(clock), _notify(std::make_shared<const Notify>(notify))
{
    if (every)
        _thread = std::thread([this, interval = *every] { run(interval); });
}

CommitPulse::~CommitPulse()
{
    stop();
}

void CommitPulse::stop()
{
    {
        const MutexLock lock(_mutex);
        _stopping = true;
    }
    _wake.notify_all();
    if (_thread.joinable())
        _thread.join();
}

void CommitPulse::run(Milliseconds every)
{
    while (true)
    {
        ask();
        MutexLock lock(_mutex);
        while (!_stopping && lock.waitFor(_wake, every))
        {
        }
        if (_stopping)
            return;
    }
}

void CommitPulse::ask()
{
    coordination::Request request;
    request.operation = coordination::Query(coordination::ProbeStore());
    request.arrived = _clock.bootTime();
    _coordinator.submit(std::move(request), std::make_shared<SameThreadExecutor>(),
                        [notify = _notify](const coordination::Reply&) { notify->alive(); });
}

} // namespace octostore::program
