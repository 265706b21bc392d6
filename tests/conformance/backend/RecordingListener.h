// SPDX-License-Identifier: MIT
/// @file
/// A listener that keeps what a backend reports and lets a test wait for it.
#pragma once

#include <octostore/backend/Backend.h>
#include <octostore/base/Mutex.h>

#include <condition_variable>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

namespace octostore::test
{

/// Waiting gives up after a minute: a backend that does not report fails the test, it does not hang
/// it. Thread-safety: thread-safe.
class RecordingListener final : public backend::BackendListener
{
public:
    void outcomes(std::vector<backend::Outcome> batch) noexcept override OCTOSTORE_EXCLUDES(_mutex);
    void changes(std::vector<backend::Record> batch, Revision upTo) noexcept override
        OCTOSTORE_EXCLUDES(_mutex);
    void records(backend::ReadId request,
                 Result<std::vector<backend::Record>> found) noexcept override
        OCTOSTORE_EXCLUDES(_mutex);
    void caughtUp(backend::ReadId request, Result<Revision> upTo) noexcept override
        OCTOSTORE_EXCLUDES(_mutex);
    void lost(Error reason) noexcept override OCTOSTORE_EXCLUDES(_mutex);

    /// Waits until `count` outcomes more than taken so far are there, and takes them, in the order
    /// of the reports. Fewer, when it gave up.
    std::vector<backend::Outcome> takeOutcomes(std::size_t count) OCTOSTORE_EXCLUDES(_mutex);
    /// How many are there and were not taken.
    std::size_t outcomesReported() OCTOSTORE_EXCLUDES(_mutex);
    std::optional<Result<std::vector<backend::Record>>> takeRecords(backend::ReadId request)
        OCTOSTORE_EXCLUDES(_mutex);
    std::optional<Result<Revision>> takeCaughtUp(backend::ReadId request)
        OCTOSTORE_EXCLUDES(_mutex);
    std::optional<Error> waitUntilLost() OCTOSTORE_EXCLUDES(_mutex);
    std::size_t changesReported() OCTOSTORE_EXCLUDES(_mutex);

private:
    /// True once `condition` holds.
    template <class Condition>
    bool waitFor(MutexLock& lock, Condition condition) OCTOSTORE_REQUIRES(_mutex);

    Mutex _mutex;
    std::condition_variable _changed;
    std::vector<backend::Outcome> _outcomes OCTOSTORE_GUARDED_BY(_mutex);
    std::map<backend::ReadId, Result<std::vector<backend::Record>>>
        _records OCTOSTORE_GUARDED_BY(_mutex);
    std::map<backend::ReadId, Result<Revision>> _caughtUp OCTOSTORE_GUARDED_BY(_mutex);
    std::optional<Error> _lost OCTOSTORE_GUARDED_BY(_mutex);
    std::size_t _changes OCTOSTORE_GUARDED_BY(_mutex) = 0;
};

} // namespace octostore::test
