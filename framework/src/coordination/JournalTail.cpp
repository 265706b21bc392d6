// SPDX-License-Identifier: MIT
#include "coordination/JournalTail.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace octostore::coordination
{

namespace
{

constexpr std::size_t eventsAtOnce = 1000;
constexpr std::chrono::milliseconds readAgainAfter{200};

} // namespace

void JournalTail::start(Sequence after, Take take)
{
    _read = after;
    _take = std::move(take);
    _thread = std::thread([this] { run(); });
}

void JournalTail::completeUpTo(Revision revision)
{
    {
        MutexLock lock(_mutex);
        _complete = std::max(_complete, revision);
    }
    _wake.notify_one();
}

void JournalTail::stop()
{
    if (!_thread.joinable())
        return;
    {
        MutexLock lock(_mutex);
        _stopping = true;
    }
    _wake.notify_one();
    _thread.join();
}

void JournalTail::run()
{
    while (const auto revision = next())
    {
        if (readUpTo(*revision))
            continue;
        MutexLock lock(_mutex);
        if (!_stopping)
            (void)lock.waitFor(_wake, readAgainAfter);
    }
}

std::optional<Revision> JournalTail::next()
{
    MutexLock lock(_mutex);
    while (!_stopping && _complete.value() <= _read.value())
        lock.wait(_wake);
    if (_stopping)
        return std::nullopt;
    return _complete;
}

bool JournalTail::readUpTo(Revision revision)
{
    for (;;)
    {
        auto found = _backend.events(_read, eventsAtOnce);
        if (!found)
            return false;
        const bool full = found->size() == eventsAtOnce;
        // What lies behind may still have gaps that are going to be filled.
        std::erase_if(*found, [revision](const event::Event& event)
                      { return event.sequence.value() > revision.value(); });
        const bool more = full && found->size() == eventsAtOnce;
        if (!found->empty())
            _read = found->back().sequence;
        if (!found->empty())
            _take(std::move(*found));
        if (!more)
            break;
    }
    _read = Sequence(std::max(_read.value(), revision.value()));
    return true;
}

} // namespace octostore::coordination
