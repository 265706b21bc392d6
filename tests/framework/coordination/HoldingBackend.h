// SPDX-License-Identifier: MIT
/// @file
/// A backend in memory that holds commits back when it is told to.
#pragma once

#include "MemoryBackend.h"

#include <octostore/base/Mutex.h>

#include <condition_variable>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace octostore::coordination::test
{

/// Passes everything on to a MemoryBackend; while it holds, commits stay with it. Against its
/// contract it can block whoever commits, so that a test can fill the engine's mailbox.
class HoldingBackend final : public backend::Backend
{
public:
    explicit HoldingBackend(std::shared_ptr<memory::MemoryStore> store) : _inner(std::move(store))
    {
    }
    void hold(bool holding)
    {
        std::vector<backend::Transaction> released;
        {
            MutexLock lock(_mutex);
            _holding = holding;
            if (!holding)
                released = std::exchange(_held, {});
        }
        if (!released.empty())
            _inner.commit(std::move(released));
    }

    void block(bool blocking)
    {
        {
            MutexLock lock(_mutex);
            _blocking = blocking;
        }
        _changed.notify_all();
    }
    void waitUntilBlocked()
    {
        MutexLock lock(_mutex);
        while (!_blocked)
            lock.wait(_changed);
    }

    backend::Traits traits() const noexcept override { return _inner.traits(); }
    Result<Revision> load(const backend::RecordSink& sink) noexcept override
    {
        return _inner.load(sink);
    }
    Result<void> start(backend::BackendListener& listener) noexcept override
    {
        _listener = &listener;
        return _inner.start(listener);
    }
    void commit(std::vector<backend::Transaction> batch) noexcept override
    {
        {
            MutexLock lock(_mutex);
            _blocked = _blocking;
            _changed.notify_all();
            while (_blocking)
                lock.wait(_changed);
            _blocked = false;
            if (_holding)
            {
                std::move(batch.begin(), batch.end(), std::back_inserter(_held));
                return;
            }
        }
        _inner.commit(std::move(batch));
    }
    void read(backend::ReadId id, std::vector<backend::Key> keys) noexcept override
    {
        _inner.read(id, std::move(keys));
    }
    void sync(backend::ReadId id) noexcept override { _inner.sync(id); }
    Result<std::vector<event::Event>> events(Sequence after, std::size_t limit) noexcept override
    {
        return _inner.events(after, limit);
    }
    Result<void> trimEvents(Sequence upTo) noexcept override { return _inner.trimEvents(upTo); }
    void stop() noexcept override
    {
        std::vector<backend::Outcome> outcomes;
        {
            MutexLock lock(_mutex);
            for (const backend::Transaction& transaction : std::exchange(_held, {}))
                outcomes.push_back(
                    {transaction.id, backend::Failed{Error{ErrorCode::Unavailable, "stopping"}}});
        }
        if (!outcomes.empty())
            _listener->outcomes(std::move(outcomes));
        _inner.stop();
    }
    std::uint64_t sizeBytes() const noexcept override { return 0; }

private:
    memory::MemoryBackend _inner;
    backend::BackendListener* _listener = nullptr;
    Mutex _mutex;
    std::condition_variable _changed;
    bool _blocking OCTOSTORE_GUARDED_BY(_mutex) = false;
    bool _blocked OCTOSTORE_GUARDED_BY(_mutex) = false;
    bool _holding OCTOSTORE_GUARDED_BY(_mutex) = false;
    std::vector<backend::Transaction> _held OCTOSTORE_GUARDED_BY(_mutex);
};

} // namespace octostore::coordination::test
