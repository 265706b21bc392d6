// SPDX-License-Identifier: MIT
/// @file
/// The bounded queue between the writer of a stream and the transport that sends it.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Executor.h>
#include <octostore/base/Mutex.h>
#include <octostore/http/Exchange.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace octostore::http
{

/// A Stream for transports. Writers use Stream; the transport uses take(), sent() and end().
/// Thread-safety: thread-safe; no callback runs while the mutex is held.
class OCTOSTORE_API StreamQueue final : public Stream
{
public:
    using Chunk = std::shared_ptr<const std::string>;

    /// `bound`: most bytes queued or taken and not yet sent. `ready` is posted to `executor` when
    /// there is something to take; it must not keep this queue alive.
    StreamQueue(std::shared_ptr<Executor> executor, std::size_t bound, Task ready);

    bool write(Chunk chunk) noexcept override OCTOSTORE_EXCLUDES(_mutex);
    void close() noexcept override OCTOSTORE_EXCLUDES(_mutex);
    std::size_t unsentBytes() const noexcept override OCTOSTORE_EXCLUDES(_mutex);
    void onClosed(Task closed) noexcept override OCTOSTORE_EXCLUDES(_mutex);

    struct Taken
    {
        std::vector<Chunk> chunks;
        bool last = false; ///< close() was called: nothing follows
    };
    /// Moves everything that waits out of the queue.
    Taken take() OCTOSTORE_EXCLUDES(_mutex);
    /// The kernel took `bytes` of what was taken.
    void sent(std::size_t bytes) OCTOSTORE_EXCLUDES(_mutex);
    /// The stream has ended; called on the exchange's thread.
    void end() noexcept OCTOSTORE_EXCLUDES(_mutex);

private:
    bool announce() OCTOSTORE_REQUIRES(_mutex);

    const std::shared_ptr<Executor> _executor;
    const std::size_t _bound;
    const Task _ready;

    mutable Mutex _mutex;
    std::vector<Chunk> _waiting OCTOSTORE_GUARDED_BY(_mutex);
    std::size_t _unsent OCTOSTORE_GUARDED_BY(_mutex) = 0;
    bool _announced OCTOSTORE_GUARDED_BY(_mutex) = false;
    bool _closing OCTOSTORE_GUARDED_BY(_mutex) = false;
    bool _ended OCTOSTORE_GUARDED_BY(_mutex) = false;
    Task _closed OCTOSTORE_GUARDED_BY(_mutex);
};

} // namespace octostore::http
