// SPDX-License-Identifier: MIT
/// @file
/// Acquires new names on an engine at a steady rate, and remembers every answer.
#pragma once

#include "coordination/EngineThread.h"

#include <octostore/base/Time.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace octostore::test
{

/// Thread-safety: thread-compatible; answers come on the engine's thread.
class SteadyLoad
{
public:
    using Instant = std::chrono::steady_clock::time_point;
    struct Grant
    {
        Instant asked;
        Instant answered;
        Term term; ///< 0: not granted
    };

    /// Begins at once; at most `most` names. `engine` must outlive this object. `rate` is a second;
    /// where the engine cannot keep it, less.
    SteadyLoad(coordination::EngineThread& engine, const Clock& clock, std::size_t rate,
               std::size_t most);
    ~SteadyLoad();

    static std::string nameOf(std::size_t index) { return "load/n" + std::to_string(index); }
    std::size_t answered() const noexcept { return _answered; }
    /// Waits until as many are answered.
    void await(std::size_t count) const;
    /// Waits until as many are granted: what waited long, as the machine stood still, is refused.
    void awaitGranted(std::size_t count) const;
    /// Asks no more and waits for the answers to what was asked.
    void stop();

    /// After stop(), by index of the name.
    const std::vector<Grant>& grants() const noexcept { return _grants; }
    /// The longest time without any answer between two instants, in milliseconds; after stop().
    double longestPauseMs(Instant from, Instant until) const;
    /// The longest that anybody waited for an answer who asked between two instants; after stop().
    double longestWaitMs(Instant from, Instant until) const;
    /// Answers a second between two instants; after stop().
    double rateBetween(Instant from, Instant until) const;

private:
    class Direct;

    void run();
    void ask(std::size_t index);

    coordination::EngineThread& _engine;
    const Clock& _clock;
    const std::size_t _rate;
    const std::shared_ptr<Direct> _executor;
    std::vector<Grant> _grants;
    std::atomic<std::size_t> _asked{0};
    std::atomic<std::size_t> _answered{0};
    std::atomic<std::size_t> _granted{0};
    std::atomic<bool> _stopping{false};
    std::thread _thread;
};

} // namespace octostore::test
