// SPDX-License-Identifier: MIT
/// @file
/// Signals become wishes on a thread of their own: no handler, nothing async-signal-unsafe.
#pragma once

#include "Wishes.h"

#include <octostore/base/Log.h>

#include <chrono>
#include <thread>

namespace octostore::program
{

/// SIGTERM and SIGINT ask for a stop, SIGHUP for a reload. A second SIGTERM or SIGINT ends the
/// process at once with 128 + its number: whoever sends it does not want to wait any longer. One
/// that follows the first closely is the same wish: timeout(1) and terminals send them in pairs.
/// Thread-safety: thread-affine(the program's main thread).
class Signals
{
public:
    /// Blocks these signals, and ignores SIGPIPE, for this thread and those it starts. Call it
    /// before the first thread.
    static void block();

    /// `wishes` must outlive this object. `closely`: how soon a second signal does not count.
    Signals(Wishes& wishes, Logger logger,
            std::chrono::milliseconds closely = std::chrono::milliseconds{1'000});
    /// Ends the thread; the signals stay blocked.
    ~Signals();
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

private:
    void run();

    Wishes& _wishes;
    const Logger _logger;
    const std::chrono::milliseconds _closely;
    std::thread _thread;
};

} // namespace octostore::program
