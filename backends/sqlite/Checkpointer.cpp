// SPDX-License-Identifier: MIT
#include "Checkpointer.h"

#include <sqlite3.h>

#include <chrono>
#include <utility>

#include <pthread.h>

namespace octostore::sqlite
{

namespace
{
using Steady = std::chrono::steady_clock;

constexpr int checkpointCacheKilobytes = 256;
} // namespace

Checkpointer::Checkpointer(const Options& options, const StoreFiles& files, Loss& loss)
    : _options(options), _files(files), _loss(loss)
{
}

Checkpointer::~Checkpointer()
{
    stop();
}

Result<void> Checkpointer::open()
{
    Result<std::unique_ptr<Database>> opened =
        Database::open(_files.path(), _options, Database::Mode::MustExist);
    if (!opened)
        return opened.error();
    _database = *std::move(opened);
    return _database->setCacheKilobytes(checkpointCacheKilobytes);
}

void Checkpointer::start()
{
    _thread = std::thread([this] { run(); });
    pthread_setname_np(_thread.native_handle(), "sqlite-copy");
}

void Checkpointer::stop()
{
    {
        MutexLock lock(_mutex);
        _stopping = true;
    }
    _wake.notify_one();
    if (_thread.joinable())
        _thread.join();
}

bool Checkpointer::mustFinish(std::uint32_t pages)
{
    const CheckpointLimits& limits = _options.checkpoint;
    bool wake = false;
    bool finish = false;
    {
        MutexLock lock(_mutex);
        if (pages < _pages)
        {
            // The log has started anew.
            _copied = 0;
            _tryAt = 0;
        }
        _pages = pages;
        const std::uint32_t left = pages - std::min(pages, _copied);
        finish = pages >= limits.startPages && left > 0 && pages >= _tryAt &&
                 (left < limits.finishPages || pages >= limits.forcedPages);
        wake = !finish && worthCopying();
    }
    if (wake)
        _wake.notify_one();
    return finish;
}

void Checkpointer::finished(std::uint32_t pages, std::uint32_t copied)
{
    MutexLock lock(_mutex);
    if (copied > 0)
        _copied = copied;
    // A reader keeps the log from starting anew: do not try again at every batch.
    _tryAt = pages + _options.checkpoint.finishPages;
}

bool Checkpointer::worthCopying() const
{
    // Above the last limit it leaves the log to the committer, or the two would meet for ever.
    const CheckpointLimits& limits = _options.checkpoint;
    return _pages >= limits.startPages && _pages < limits.forcedPages &&
           _pages - std::min(_pages, _copied) >= limits.finishPages;
}

bool Checkpointer::waitForWork()
{
    const auto end = Steady::now() + _options.watchInterval;
    MutexLock lock(_mutex);
    while (!_stopping && (_loss.happened() || !worthCopying()) && Steady::now() < end)
        lock.waitFor(_wake, end - Steady::now());
    return !_stopping;
}

void Checkpointer::run() noexcept
{
    while (waitForWork())
    {
        if (Result<void> same = _files.check(); !same)
            _loss.declare(same.error());
        if (!_loss.happened())
            copy();
    }
}

void Checkpointer::copy()
{
    {
        MutexLock lock(_mutex);
        if (!worthCopying())
            return;
    }
    int pages = 0;
    int copied = 0;
    const int code = sqlite3_wal_checkpoint_v2(_database->handle(), nullptr,
                                               SQLITE_CHECKPOINT_PASSIVE, &pages, &copied);
    if (isDamage(code))
        _loss.declare(_database->failure(code, "Copying the write-ahead log"));
    const bool busy = (code & 0xff) == SQLITE_BUSY;
    if (code != SQLITE_OK && !busy && !std::exchange(_failed, true))
        _options.logger.warning("The write-ahead log cannot be copied; it grows meanwhile.",
                                {{"reason", sqlite3_errstr(code)}});
    if (code == SQLITE_OK)
        _failed = false;

    MutexLock lock(_mutex);
    const auto now = static_cast<std::uint32_t>(copied > 0 ? copied : 0);
    const bool progress = code == SQLITE_OK && now > _copied && now <= _pages;
    if (progress)
        _copied = now;
    // A reader or an error is in the way. The committer wakes us meanwhile; that helps nothing.
    const auto end = Steady::now() + _options.watchInterval;
    while (!progress && !_stopping && Steady::now() < end)
        lock.waitFor(_wake, end - Steady::now());
}

} // namespace octostore::sqlite
