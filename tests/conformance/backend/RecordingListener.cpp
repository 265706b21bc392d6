// SPDX-License-Identifier: MIT
#include "RecordingListener.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace octostore::test
{

template <class Condition>
bool RecordingListener::waitFor(MutexLock& lock, Condition condition)
{
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!condition())
    {
        const auto left = end - std::chrono::steady_clock::now();
        if (left <= left.zero())
            return false;
        lock.waitFor(_changed, left);
    }
    return true;
}

void RecordingListener::outcomes(std::vector<backend::Outcome> batch) noexcept
{
    {
        MutexLock lock(_mutex);
        for (backend::Outcome& outcome : batch)
            _outcomes.push_back(std::move(outcome));
    }
    _changed.notify_all();
}

void RecordingListener::changes(std::vector<backend::Record> batch, Revision) noexcept
{
    MutexLock lock(_mutex);
    _changes += batch.size();
}

void RecordingListener::records(backend::ReadId request,
                                Result<std::vector<backend::Record>> found) noexcept
{
    {
        MutexLock lock(_mutex);
        _records.insert_or_assign(request, std::move(found));
    }
    _changed.notify_all();
}

void RecordingListener::caughtUp(backend::ReadId request, Result<Revision> upTo) noexcept
{
    {
        MutexLock lock(_mutex);
        _caughtUp.insert_or_assign(request, std::move(upTo));
    }
    _changed.notify_all();
}

void RecordingListener::lost(Error reason) noexcept
{
    {
        MutexLock lock(_mutex);
        _lost = std::move(reason);
    }
    _changed.notify_all();
}

std::vector<backend::Outcome> RecordingListener::takeOutcomes(std::size_t count)
{
    MutexLock lock(_mutex);
    waitFor(lock, [&]() OCTOSTORE_NO_THREAD_SAFETY_ANALYSIS { return _outcomes.size() >= count; });
    const auto end =
        _outcomes.begin() + static_cast<std::ptrdiff_t>(std::min(count, _outcomes.size()));
    std::vector<backend::Outcome> taken(std::make_move_iterator(_outcomes.begin()),
                                        std::make_move_iterator(end));
    _outcomes.erase(_outcomes.begin(), end);
    return taken;
}

std::size_t RecordingListener::outcomesReported()
{
    MutexLock lock(_mutex);
    return _outcomes.size();
}

std::optional<Result<std::vector<backend::Record>>>
RecordingListener::takeRecords(backend::ReadId request)
{
    MutexLock lock(_mutex);
    if (!waitFor(lock,
                 [&]() OCTOSTORE_NO_THREAD_SAFETY_ANALYSIS { return _records.contains(request); }))
        return std::nullopt;
    return std::move(_records.extract(request).mapped());
}

std::optional<Result<Revision>> RecordingListener::takeCaughtUp(backend::ReadId request)
{
    MutexLock lock(_mutex);
    if (!waitFor(lock,
                 [&]() OCTOSTORE_NO_THREAD_SAFETY_ANALYSIS { return _caughtUp.contains(request); }))
        return std::nullopt;
    return std::move(_caughtUp.extract(request).mapped());
}

std::optional<Error> RecordingListener::waitUntilLost()
{
    MutexLock lock(_mutex);
    waitFor(lock, [&]() OCTOSTORE_NO_THREAD_SAFETY_ANALYSIS { return _lost.has_value(); });
    return _lost;
}

std::size_t RecordingListener::changesReported()
{
    MutexLock lock(_mutex);
    return _changes;
}

} // namespace octostore::test
