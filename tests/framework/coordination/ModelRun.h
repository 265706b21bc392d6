// SPDX-License-Identifier: MIT
/// @file
/// Random commands to an engine and to the naive model, whose answers and states are compared.
#pragma once

#include "EngineHarness.h"
#include "NaiveModel.h"
#include "RandomCommands.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace octostore::coordination::test
{

/// With waiting, abandoning, give-backs, restarts and jumps of days; the clock stops at every
/// instant at which something is due. Where they differ the test fails, and the run ends.
/// Thread-safety: thread-compatible.
class ModelRun
{
public:
    /// `shared`: as EngineHarness says, and without restarts.
    explicit ModelRun(std::uint64_t seed, bool shared = false);

    /// Before run(): how often the server is started again.
    std::uint64_t restartsOneIn = 5'000;
    void run(std::size_t count);
    /// In the end everything runs out and everybody has been answered.
    void expectRest();

    EngineHarness& harness() { return _harness; }
    /// Of run(), so far.
    std::size_t steps() const { return _step; }

private:
    void pass(BootClock::duration time);
    void moveTo(BootTime instant);
    void compare();
    void submit();
    void abandon();
    void read();

    const bool _shared;
    const Limits _limits = smallLimits();
    EngineHarness _harness;
    NaiveModel _model{_limits};
    RandomCommands _random;
    std::map<Ticket, std::string> _names; ///< of requests without an answer
    std::size_t _step = 0;
};

} // namespace octostore::coordination::test
