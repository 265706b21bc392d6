// SPDX-License-Identifier: MIT
#include "event/Retention.h"

#include <algorithm>

namespace octostore::event
{

namespace
{

constexpr std::size_t stepEvents = 1000;

/// About what a row of the journal takes in the store.
std::uint64_t bytesOf(const Event& event)
{
    const Draft& what = event.what;
    std::uint64_t bytes = 256 + what.name.size() + what.actor.name.size() + what.reason.size();
    for (const auto* holding : {&what.previous, &what.current})
        if (*holding)
            bytes += 64 + (*holding)->holder.size();
    return bytes;
}

} // namespace

Retention::Retention(RetentionLimits limits, Logger logger)
    : _limits(limits), _logger(std::move(logger))
{
}

void Retention::start(Sequence trimmed)
{
    _trimmed = trimmed.value();
}

void Retention::add(const Event& event)
{
    if (_steps.empty() || _steps.back().count >= stepEvents)
        _steps.emplace_back();
    Step& step = _steps.back();
    step.last = event.sequence;
    step.newest = event.what.time;
    ++step.count;
    ++_count;
    const std::uint64_t bytes = bytesOf(event);
    step.bytes += bytes;
    _bytes += bytes;
}

bool Retention::isTooMuch(const Step& oldest, WallTime now) const
{
    return _count > _limits.count || _bytes > _limits.bytes || now - oldest.newest > _limits.age;
}

void Retention::trim(backend::Backend& backend, WallTime now)
{
    const auto needed = held();
    while (!_steps.empty() && isTooMuch(_steps.front(), now))
    {
        const Step oldest = _steps.front();
        // Holders may delay it, but a disk ends somewhere.
        const bool hard = _count > 2 * _limits.count || _bytes > 2 * _limits.bytes;
        if (needed && oldest.last > *needed && !hard)
            return;
        // The last one stays: what comes before the first event there is counts as forgotten after
        // a restart, and whoever had this one has missed nothing.
        const Sequence upTo(oldest.last.value() - 1);
        // Said before it is done: whoever reads from before this sequence is told that it misses
        // something, also while the events are still there.
        _trimmed = upTo.value();
        if (const auto trimmed = backend.trimEvents(upTo); !trimmed)
        {
            _logger.warning("the journal could not be trimmed",
                            {{"error", trimmed.error().message}});
            return;
        }
        _count -= oldest.count;
        _bytes -= oldest.bytes;
        _steps.pop_front();
    }
}

void Retention::hold(const std::string& who, std::optional<Sequence> from)
{
    MutexLock lock(_mutex);
    if (from)
        _holders[who] = *from;
    else
        _holders.erase(who);
}

std::optional<Sequence> Retention::held() const
{
    MutexLock lock(_mutex);
    std::optional<Sequence> least;
    for (const auto& [who, from] : _holders)
        least = least ? std::min(*least, from) : from;
    return least;
}

} // namespace octostore::event
