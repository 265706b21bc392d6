// SPDX-License-Identifier: MIT
/// @file
/// One backup: a snapshot in a file without a name, sent as fast as the client takes it.
#pragma once

#include "Surroundings.h"

#include <octostore/base/Result.h>
#include <octostore/http/Exchange.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace octostore::admin_api
{

/// Snapshot files that a killed server left beside `database` are removed.
void removeLeftSnapshots(const std::string& database) noexcept;

/// Thread-safety: thread-compatible; cancel(): any thread.
class BackupJob
{
public:
    BackupJob() = default;
    ~BackupJob();
    BackupJob(const BackupJob&) = delete;
    BackupJob& operator=(const BackupJob&) = delete;

    /// Blocks. Errors: those of Backend::snapshot().
    Result<void> take(backend::Backend& backend, const std::string& file);
    /// Blocks until all was written to the stream or nobody takes it any more (false). The head
    /// must say how long it is: then who reads can tell the one from the other.
    bool send(http::Stream& stream) const;
    /// Nobody wants it any more.
    void cancel() noexcept { _cancelled = true; }

    std::uint64_t size() const noexcept { return _size; }
    /// SHA-256 in hex.
    const std::string& digest() const noexcept { return _digest; }

private:
    Result<void> open(const std::string& file);
    Result<void> read();
    /// False: the stream has ended or its client has taken nothing for too long.
    bool waitForRoom(const http::Stream& stream) const;

    std::atomic<bool> _cancelled{false};
    int _file = -1;
    std::uint64_t _size = 0;
    std::string _digest;
};

} // namespace octostore::admin_api
