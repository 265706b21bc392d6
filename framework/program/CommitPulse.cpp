// SPDX-License-Identifier: MIT
#include "CommitPulse.h"

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

#include <unistd.h>

namespace octostore::program
{

namespace
{

std::optional<std::int64_t> number(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

/// A full mailbox or one that is closed refuses by itself: that says nothing of the engine.
bool proves(const coordination::Reply& reply) noexcept
{
    const auto* refused = std::get_if<coordination::Refused>(&reply);
    return refused == nullptr || (refused->error.code != ErrorCode::Overloaded &&
                                  refused->error.code != ErrorCode::Draining);
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
    : _coordinator(coordinator), _clock(clock), _notify(notify)
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
    _answers->stop();
    if (_thread.joinable())
        _thread.join();
}

void CommitPulse::run(Milliseconds every)
{
    do
        ask();
    while (_answers->runFor(every));
}

void CommitPulse::ask()
{
    coordination::Request request;
    request.operation = coordination::Query(coordination::ProbeStore());
    request.arrived = _clock.bootTime();
    _coordinator.submit(std::move(request), _answers,
                        [this](const coordination::Reply& reply)
                        {
                            if (proves(reply))
                                _notify.alive();
                        });
}

} // namespace octostore::program
