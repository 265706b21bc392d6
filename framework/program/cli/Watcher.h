// SPDX-License-Identifier: MIT
/// @file
/// Watches what happens to a room or lock, beside what the main thread does.
#pragma once

#include "Claim.h"
#include "WakeSignal.h"

#include <octostore/base/Mutex.h>
#include <octostore/client/HttpClient.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <thread>

namespace octostore::program
{

/// Keeps a watch stream open, on a thread of its own. It only raises doubts: whether the lease is
/// really over is asked by a renewal. A stream that cannot be had is tried again at leisure.
/// Thread-safety: start, stop and takeDoubt: thread-affine(the main thread).
class Watcher
{
public:
    /// `wake` is raised when there is a doubt. `claim` must outlive this.
    Watcher(std::shared_ptr<client::HttpClient> http, Claim& claim,
            std::shared_ptr<const WakeSignal> wake);
    ~Watcher();
    Watcher(const Watcher&) = delete;
    Watcher& operator=(const Watcher&) = delete;

    void start(client::HttpRequest request, std::uint64_t term);
    /// Does not wait for the thread: it may hang in the resolver.
    void stop() OCTOSTORE_EXCLUDES(_mutex);
    /// Whether a frame since the last call said that the lease of the term is not the live one.
    bool takeDoubt() noexcept { return _doubt.exchange(false); }

private:
    void run(const client::HttpRequest& request, std::uint64_t term);
    bool pause(Milliseconds duration) OCTOSTORE_EXCLUDES(_mutex);

    const std::shared_ptr<client::HttpClient> _http;
    Claim& _claim;
    const std::shared_ptr<const WakeSignal> _wake;
    client::Cancellation _cancellation;
    std::atomic<bool> _doubt{false};
    std::thread _thread;

    Mutex _mutex;
    std::condition_variable _stopping;
    bool _stopped OCTOSTORE_GUARDED_BY(_mutex) = false;
};

} // namespace octostore::program
