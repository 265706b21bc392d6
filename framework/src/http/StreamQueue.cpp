// SPDX-License-Identifier: MIT
#include <octostore/http/StreamQueue.h>

#include <algorithm>
#include <utility>

namespace octostore::http
{

StreamQueue::StreamQueue(std::shared_ptr<Executor> executor, std::size_t bound, Task ready)
    : _executor(std::move(executor)), _bound(bound), _ready(std::move(ready))
{
}

bool StreamQueue::write(Chunk chunk) noexcept
{
    bool wake = false;
    {
        MutexLock lock(_mutex);
        if (_ended || _closing || _unsent + chunk->size() > _bound)
            return false;
        _unsent += chunk->size();
        // An empty chunk would end a chunked body.
        if (!chunk->empty())
        {
            _waiting.push_back(std::move(chunk));
            wake = announce();
        }
    }
    if (wake)
        _executor->post({_ready});
    return true;
}

void StreamQueue::close() noexcept
{
    bool wake = false;
    {
        MutexLock lock(_mutex);
        if (_ended || _closing)
            return;
        _closing = true;
        wake = announce();
    }
    if (wake)
        _executor->post({_ready});
}

std::size_t StreamQueue::unsentBytes() const noexcept
{
    MutexLock lock(_mutex);
    return _unsent;
}

void StreamQueue::onClosed(Task closed) noexcept
{
    {
        MutexLock lock(_mutex);
        if (!_ended)
        {
            _closed = std::move(closed);
            return;
        }
    }
    _executor->post({std::move(closed)});
}

StreamQueue::Taken StreamQueue::take()
{
    MutexLock lock(_mutex);
    _announced = false;
    return {std::exchange(_waiting, {}), _closing};
}

void StreamQueue::sent(std::size_t bytes)
{
    MutexLock lock(_mutex);
    _unsent -= std::min(bytes, _unsent);
}

void StreamQueue::end() noexcept
{
    Task closed;
    {
        MutexLock lock(_mutex);
        if (_ended)
            return;
        _ended = true;
        _waiting.clear();
        _unsent = 0;
        closed = std::exchange(_closed, nullptr);
    }
    if (closed)
        closed();
}

/// One task is enough for everything that gathers before it runs.
bool StreamQueue::announce()
{
    return !std::exchange(_announced, true);
}

} // namespace octostore::http
