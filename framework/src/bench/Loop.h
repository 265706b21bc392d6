// SPDX-License-Identifier: MIT
/// @file
/// The event loop behind runLoad().
#pragma once

#include "Connection.h"
#include "Descriptor.h"

#include <octostore/bench/LoadLoop.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace octostore::bench
{

/// One thread, level-triggered epoll, one request in flight on each connection.
/// Thread-safety: thread-affine(the caller's thread).
class Loop
{
public:
    /// Everything must outlive run().
    Loop(const LoadOptions& options, const Address& address,
         const std::vector<std::unique_ptr<Client>>& clients);
    Result<LoadResult> run();

private:
    using Instant = std::chrono::steady_clock::time_point;

    struct Lane
    {
        Client* client = nullptr;
        Connection connection;
        std::optional<Operation> asked; ///< in flight
        Phase phase = Phase::Prepare;   ///< in which it was asked
        Instant since;                  ///< when it was asked, or was due
        bool finished = false;          ///< nothing more to ask in this phase
    };

    Result<void> connectAll();
    Result<void> runPhase(Phase phase, Instant end);
    void load();
    void ask(Lane& lane, Instant due);
    void askWhatIsDue();
    void turn(Instant until);
    void arm(Instant wake);
    void handle(Lane& lane, std::uint32_t events);
    void answered(Lane& lane, const Answer& answer);
    void free(Lane& lane);
    void reconnect(Lane& lane);
    void count(const Lane& lane, const Answer& answer, Verdict verdict);
    void report();
    bool idle() const noexcept { return _inFlight == 0; }
    bool allFinished() const noexcept;

    const LoadOptions& _options;
    const Address& _address;
    Descriptor _epoll;
    Descriptor _timer;
    std::vector<Lane> _lanes;
    LoadResult _result;
    Phase _phase = Phase::Prepare;
    bool _asking = false; ///< lanes that become free are asked for more
    std::size_t _inFlight = 0;
    std::size_t _unconnected = 0;
    std::size_t _refusedInARow = 0;
    std::deque<std::uint32_t> _free; ///< lanes that wait for their turn, with a rate
    Duration _interval{0};
    Instant _due;
    Instant _armed; ///< for when the timer is set
    Instant _measureFrom;
    Instant _measureTo;
    Instant _nextReport;
    std::string _prepareFailure;
    std::string _denied; ///< the first answer that says a credential is wrong
};

} // namespace octostore::bench
