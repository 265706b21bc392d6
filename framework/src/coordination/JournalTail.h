// SPDX-License-Identifier: MIT
/// @file
/// Reads what other servers put into the journal of a shared store.
#pragma once

#include <octostore/backend/Backend.h>
#include <octostore/base/Mutex.h>

#include <condition_variable>
#include <functional>
#include <thread>
#include <vector>

namespace octostore::coordination
{

/// A thread of its own, because reading the journal blocks.
/// Thread-safety: thread-safe, but start() and stop() belong to one thread.
class JournalTail
{
public:
    using Take = std::function<void(std::vector<event::Event>)>;

    /// `backend` must outlive stop().
    explicit JournalTail(backend::Backend& backend) : _backend(backend) {}
    ~JournalTail() { stop(); }

    /// `take` gets every event behind `after`, once, in order, on the tail's thread.
    void start(Sequence after, Take take);
    /// The journal is complete up to here. Never blocks.
    void completeUpTo(Revision revision) OCTOSTORE_EXCLUDES(_mutex);
    void stop() OCTOSTORE_EXCLUDES(_mutex);

private:
    void run();
    /// Waits until more is complete than was read; nothing: stopped.
    std::optional<Revision> next() OCTOSTORE_EXCLUDES(_mutex);
    /// False: the store did not answer.
    bool readUpTo(Revision revision);

    backend::Backend& _backend;
    Take _take;
    Sequence _read; ///< the thread's own
    std::thread _thread;
    Mutex _mutex;
    std::condition_variable _wake;
    Revision _complete OCTOSTORE_GUARDED_BY(_mutex);
    bool _stopping OCTOSTORE_GUARDED_BY(_mutex) = false;
};

} // namespace octostore::coordination
