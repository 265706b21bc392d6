// SPDX-License-Identifier: MIT
/// @file
/// The small process that stands over a command: it stops it in time, whatever happens to the
/// client.
#pragma once

#include "Containment.h"
#include "GuardianMessages.h"

#include <octostore/base/Time.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <signal.h>
#include <sys/types.h>

namespace octostore::program
{

/// What the guardian has to know before it is asked to begin.
struct GuardianOrders
{
    std::vector<std::string> command;                             ///< and its arguments
    std::vector<std::pair<std::string, std::string>> environment; ///< set for the command
    std::vector<std::string> removed; ///< variables that the command must not have
    Milliseconds killAfter{1000};     ///< from TERM to KILL
    Milliseconds stopTimeout{10'000}; ///< for a stop without hurry
    std::string scratch; ///< directory with the deadline file, removed if the client is gone
    std::optional<Cgroup> cgroup;
    int eventsDescriptor = -1; ///< not for the command
    bool foreground = false;   ///< the terminal is ours, and the command is to have it
    sigset_t formerMask = {};  ///< the command gets that again
};

/// Single-threaded from its first to its last instruction, and without secrets. It kills when its
/// timer says so, when the client's end of the socket closes, or when the client dies.
/// Thread-safety: thread-affine(the guardian's only thread).
class Guardian
{
public:
    /// `orders` must outlive this. Takes the socket.
    Guardian(const GuardianOrders& orders, Containment containment, int socket);

    /// Returns when nothing of the command is left, or it never began.
    void run();

private:
    void setUp();
    void tidyUp() const;
    void arm() const;
    void readOrders();
    void obey(const Order& order);
    void start(const Order& order);
    [[noreturn]] void becomeCommand(std::uint64_t term) const;
    void clientGone();
    void readSignals();
    void reap();
    void noteStatus(int status);
    void advance(BootTime now);

    void terminateCommand();
    void terminateAll() const;
    void killAll() const;
    void killBy(BootTime instant);
    BootTime killInstant() const;
    std::optional<BootTime> next() const;
    void tell(const Notice& notice) const;

    const GuardianOrders& _orders;
    const Containment _containment;
    const SystemClock _clock;
    int _socket;
    int _signals = -1;
    int _timer = -1;

    pid_t _command = 0;
    bool _running = false; ///< the command itself
    bool _done = false;
    bool _terminated = false; ///< TERM was sent because time is up
    bool _killing = false;
    BootTime _terminateAt{}; ///< of the authority
    BootTime _killAt{};
    std::optional<BootTime> _stopTerminateAt; ///< of a stop that was asked for
    std::optional<BootTime> _stopKillAt;
    bool _clientGone = false;
};

} // namespace octostore::program
