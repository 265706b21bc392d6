// SPDX-License-Identifier: MIT
#include "event/Publisher.h"

#include <algorithm>
#include <iterator>

#include <sys/prctl.h>

namespace octostore::event
{

namespace
{

/// Events kept in memory for those who come back soon.
constexpr std::size_t recentMax = 10'000;
/// What may gather while consumers are slow; above it events are read from the journal later and
/// renewals are lost.
constexpr std::size_t gatheredMax = 65'536;
constexpr std::size_t pageEvents = 1'000;
constexpr std::chrono::seconds trimEvery{30};
/// What is counted at once after the start takes some 2.5 ms: a tenth of a processor, so that a
/// million events are counted in two minutes.
constexpr std::size_t countedAtOnce = 250;
constexpr Milliseconds countEvery{25};

} // namespace

Consumer::~Consumer() = default;
Journal::~Journal() = default;
void Journal::hold(const std::string&, std::optional<Sequence>) noexcept {}

Publisher::Publisher(backend::Backend& backend, const Clock& clock, RetentionLimits limits,
                     Logger logger)
    : _backend(backend), _clock(clock), _logger(logger), _retention(limits, std::move(logger))
{
}

Publisher::~Publisher()
{
    stop();
}

Result<void> Publisher::start(Revision newest, Revision hole)
{
    _hole = Sequence(hole.value());
    // What comes before the first event there is counts as forgotten: it may have been.
    const auto first = _backend.events(Sequence(), 1);
    if (!first)
        return first.error();
    _retention.start(Sequence(first->empty() || first->front().sequence.value() > newest.value()
                                  ? newest.value()
                                  : first->front().sequence.value() - 1));
    {
        MutexLock lock(_mutex);
        _recentAfter = Sequence(newest.value());
    }
    _countedTo = _retention.trimmed();
    // Last: consumers read as soon as there is something newer than what they have, and nothing of
    // it is among the recent ones.
    _newest = newest.value();
    _thread = std::thread([this] { run(); });
    return {};
}

void Publisher::stop()
{
    if (!_thread.joinable())
        return;
    {
        MutexLock lock(_mutex);
        _stopping = true;
    }
    _changed.notify_all();
    _thread.join();
}

void Publisher::publish(std::vector<Event> events, std::vector<Renewal> renewals) noexcept
{
    MutexLock lock(_mutex);
    if (!events.empty() && (_dropped || _gathered.events.size() + events.size() > gatheredMax))
        _dropped = events.back().sequence; // in order: from here on all is read from the journal
    else
        std::move(events.begin(), events.end(), std::back_inserter(_gathered.events));
    if (_gathered.renewals.size() + renewals.size() <= gatheredMax)
        std::move(renewals.begin(), renewals.end(), std::back_inserter(_gathered.renewals));
    else
        _droppedRenewals += renewals.size();
    _changed.notify_one();
}

void Publisher::run() noexcept
{
    prctl(PR_SET_NAME, "publisher");
    BootTime trimAt = _clock.bootTime();
    BootTime countAt = trimAt;
    for (;;)
    {
        Batch batch;
        std::optional<Sequence> dropped;
        bool stopping = false;
        {
            MutexLock lock(_mutex);
            if (_gathered.events.empty() && _gathered.renewals.empty() && !_dropped && !_stopping)
                lock.waitFor(_changed, _counting ? countEvery : trimEvery);
            batch = std::exchange(_gathered, {});
            dropped = std::exchange(_dropped, std::nullopt);
            stopping = _stopping;
        }
        if (!batch.events.empty())
            giveOut(std::move(batch.events));
        if (dropped)
            catchUp(*dropped);
        if (!batch.renewals.empty())
            for (Consumer* consumer : _consumers)
                consumer->renewals(batch.renewals);
        if (stopping)
            return;
        if (_counting && _clock.bootTime() >= countAt)
        {
            countSome();
            countAt = _clock.bootTime() + countEvery;
        }
        if (_clock.bootTime() >= trimAt)
        {
            _retention.trim(_backend, _clock.wallTime());
            trimAt = _clock.bootTime() + trimEvery;
        }
    }
}

/// Some of what is in the journal already, so that it is trimmed like what comes. Not all at once:
/// there may be millions, and what happens now is to be heard of now.
void Publisher::countSome()
{
    const auto page = _backend.events(_countedTo, countedAtOnce);
    _counting = page && page->size() == countedAtOnce;
    if (!page)
    {
        _logger.warning("the journal could not be counted", {{"error", page.error().message}});
        return;
    }
    for (const Event& event : *page)
    {
        // What is not given out yet is counted then.
        if (event.sequence > newest())
        {
            _counting = false;
            return;
        }
        _retention.add(event);
        _countedTo = event.sequence;
    }
}

void Publisher::giveOut(std::vector<Event> events)
{
    std::vector<EventPtr> batch;
    batch.reserve(events.size());
    for (Event& event : events)
    {
        // Read from the journal meanwhile, if too much had gathered.
        if (event.sequence.value() <= _newest.load())
            continue;
        if (!_counting)
            _retention.add(event);
        batch.push_back(std::make_shared<const Event>(std::move(event)));
    }
    if (batch.empty())
        return;
    {
        MutexLock lock(_mutex);
        _recent.insert(_recent.end(), batch.begin(), batch.end());
        for (; _recent.size() > recentMax; _recent.pop_front())
            _recentAfter = _recent.front()->sequence;
        _newest = batch.back()->sequence.value();
    }
    for (Consumer* consumer : _consumers)
        consumer->events(batch);
}

void Publisher::catchUp(Sequence upTo)
{
    while (newest() < upTo)
    {
        auto page = _backend.events(newest(), pageEvents);
        if (!page)
        {
            // The next event finds that something was dropped and tries again.
            _logger.error("events could not be read back", {{"error", page.error().message}});
            MutexLock lock(_mutex);
            _dropped = std::max(_dropped.value_or(upTo), upTo);
            lock.waitFor(_changed, std::chrono::seconds(1));
            return;
        }
        if (page->empty())
            return;
        giveOut(std::move(*page));
    }
}

Result<std::vector<EventPtr>> Publisher::read(Sequence after, std::size_t limit) noexcept
{
    if (auto found = recent(after, limit))
        return std::move(*found);
    auto page = _backend.events(after, limit);
    if (!page)
        return page.error();
    std::vector<EventPtr> events;
    events.reserve(page->size());
    // What is committed but not published is for later: nobody sees it ahead of the others.
    for (Event& event : *page)
        if (event.sequence <= newest())
            events.push_back(std::make_shared<const Event>(std::move(event)));
    return events;
}

std::optional<std::vector<EventPtr>> Publisher::recent(Sequence after,
                                                       std::size_t limit) const noexcept
{
    MutexLock lock(_mutex);
    if (after < _recentAfter)
        return std::nullopt;
    auto next = std::upper_bound(_recent.begin(), _recent.end(), after,
                                 [](Sequence sequence, const EventPtr& event)
                                 { return sequence < event->sequence; });
    const auto count =
        std::min<std::size_t>(limit, static_cast<std::size_t>(std::distance(next, _recent.end())));
    return std::vector<EventPtr>(next, next + static_cast<std::ptrdiff_t>(count));
}

} // namespace octostore::event
