// SPDX-License-Identifier: MIT
/// @file
/// One name, its holder and who waits for it.
#pragma once

#include "EngineHarness.h"

namespace octostore::coordination::test
{

class QueueFixture : public ::testing::Test
{
protected:
    Granted hold(std::uint64_t who, Milliseconds ttl, Milliseconds delay = 0ms)
    {
        Acquire acquire = acquireBy(who, ttl);
        acquire.lockDelay = delay;
        return harness.ask<Granted>(name, acquire);
    }

    Ticket waitBy(std::uint64_t who, Milliseconds wait, Milliseconds ttl = 60s)
    {
        return harness.submit(name, acquireBy(who, ttl, ++fresh), wait);
    }

    Ticket nowBy(std::uint64_t who) { return waitBy(who, 0ms); }

    EngineHarness harness;
    std::string name = "jobs/nightly";
    std::uint64_t fresh = 100;
};

} // namespace octostore::coordination::test
