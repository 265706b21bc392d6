// SPDX-License-Identifier: MIT
/// @file
/// Whether the store was lost: damaged, removed or replaced under this server.
#pragma once

#include <octostore/backend/Backend.h>
#include <octostore/base/Log.h>

#include <atomic>
#include <utility>

namespace octostore::sqlite
{

/// Once lost, always lost: nothing is written any more. Thread-safety: thread-safe.
class Loss
{
public:
    explicit Loss(Logger logger) : _logger(std::move(logger)) {}

    /// `listener` is called until the next call; null: nobody. A loss of before is not told again.
    void reportTo(backend::BackendListener* listener) noexcept { _listener = listener; }
    bool happened() const noexcept { return _happened; }
    /// Tells the listener, the first time.
    void declare(Error reason)
    {
        if (_happened.exchange(true))
            return;
        _logger.error("The store is lost; the server must stop.", {{"reason", reason.message}});
        if (backend::BackendListener* const listener = _listener)
            listener->lost(std::move(reason));
    }

private:
    const Logger _logger;
    std::atomic<backend::BackendListener*> _listener = nullptr;
    std::atomic<bool> _happened = false;
};

} // namespace octostore::sqlite
