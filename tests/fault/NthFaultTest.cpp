// SPDX-License-Identifier: MIT
// Goal: whichever write or sync fails, what was acknowledged is durable, what was refused never
// appears, nothing is there by half, and the store goes on by itself.
// Method: the same work, with the n-th operation failing, for n = 1, 2, 3 ... until a run in which
// nothing failed; without OCTOSTORE_TEST_EVERY=1 only every sixth n. After each run the files are
// opened again, as they are and as a power failure would leave them. The seed, which draws the
// sectors that survive, is printed.
#include "FaultFixture.h"

#include <chrono>
#include <iostream>
#include <thread>

namespace octostore::test
{
namespace
{

constexpr int batchesEach = 6;
constexpr std::uint32_t operationsMax = 2'000;

struct Totals
{
    std::uint64_t runs = 0;
    std::uint64_t fired = 0;
    std::uint64_t committed = 0;
    std::uint64_t others = 0;
};

class NthFaultTest : public FaultFixture
{
protected:
    void SetUp() override { prepare(); }

    /// Works with `fault` at operation `first`; returns whether it struck.
    bool run(Fault fault, std::uint32_t first, std::uint32_t times)
    {
        begin();
        plan.set(fault, first, times);
        const bool opened = open(faulty());
        for (int i = 0; opened && i < batchesEach; ++i)
            work->runBatch();
        const std::uint32_t fired = plan.fired;
        if (opened && fault != Fault::PowerFailure)
            expectRecovery();
        if (opened)
            close();
        account(fired);
        expectSoundAfterPowerFailure(_totals.runs % 2 == 0);
        if (fault != Fault::PowerFailure)
            expectSound(std::filesystem::path(database()).filename());
        return fired != 0;
    }

    /// A power failure answers nothing, so nobody may wait for outcomes.
    bool runPowerFailure(std::uint32_t first, bool torn)
    {
        begin();
        plan.set(Fault::PowerFailure, first, 1);
        if (open(faulty()))
        {
            for (int i = 0; i < batchesEach && plan.fired == 0; ++i)
            {
                work->leaveBatch();
                waitForOutcomes();
            }
            close();
        }
        const std::uint32_t fired = plan.fired;
        account(fired);
        expectSoundAfterPowerFailure(torn);
        return fired != 0;
    }

    void waitForOutcomes()
    {
        while (listener->outcomesReported() < Ledger::names && plan.fired == 0)
            std::this_thread::sleep_for(std::chrono::microseconds(50));
        if (plan.fired == 0)
            work->collect();
    }

    void close()
    {
        server->stop();
        work->collect();
        work.reset();
        stop();
    }

    /// Once the fault is over, changes are taken again without anybody's help.
    void expectRecovery()
    {
        plan.clear();
        const auto giveUp = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (work->runBatch() != Ledger::names)
            ASSERT_LT(std::chrono::steady_clock::now(), giveUp) << "the store does not recover";
    }

    void account(std::uint32_t fired)
    {
        ++_totals.runs;
        _totals.fired += fired;
        _totals.committed += ledger.count(true);
        _totals.others += ledger.count(false);
    }

    void report(const std::string& what)
    {
        std::cout << "fault " << what << ": fired " << _totals.fired << " times in " << _totals.runs
                  << " runs; " << _totals.committed << " transactions committed, " << _totals.others
                  << " not\n";
        EXPECT_GT(_totals.fired, 5U);
    }

    Totals _totals;
};

struct Case
{
    Fault fault;
    std::uint32_t times;
};

class NthFaultCaseTest : public NthFaultTest, public testing::WithParamInterface<Case>
{
};

TEST_P(NthFaultCaseTest, WhateverOperationFailsTheStoreIsAsItWasTold)
{
    const auto [fault, times] = GetParam();
    if (fault == Fault::SyncError)
        every = 1; // there are few
    for (std::uint32_t n = firstPlace(); n < operationsMax && !HasFailure(); n += every)
    {
        SCOPED_TRACE("operation " + std::to_string(n));
        if (!run(fault, n, times))
            break;
    }
    report(std::string(nameOf(fault)) + " x " + std::to_string(times));
}

INSTANTIATE_TEST_SUITE_P(Faults, NthFaultCaseTest,
                         testing::Values(Case{Fault::WriteError, 1}, Case{Fault::WriteError, 5},
                                         Case{Fault::DiskFull, 1}, Case{Fault::DiskFull, 5},
                                         Case{Fault::ShortWrite, 1}, Case{Fault::ShortWrite, 5},
                                         Case{Fault::ReadOnly, 1}, Case{Fault::ReadOnly, 12},
                                         Case{Fault::SyncError, 1}, Case{Fault::SyncError, 3}));

TEST_F(NthFaultTest, WheneverThePowerFailsTheStoreIsAsItWasTold)
{
    for (std::uint32_t n = firstPlace(); n < operationsMax && !HasFailure(); n += every)
    {
        SCOPED_TRACE("operation " + std::to_string(n));
        if (!runPowerFailure(n, true) || !runPowerFailure(n, false))
            break;
    }
    report(nameOf(Fault::PowerFailure));
}

} // namespace
} // namespace octostore::test
