// SPDX-License-Identifier: MIT
/// @file
/// Goal: the promises G1 to G8 hold whatever befalls servers, store, network and clients.
/// Method: whole runs in virtual time, each from a seed; a judge that knows nothing of the engine
/// looks after every step. OCTOSTORE_TEST_SEED=N runs that seed alone; OCTOSTORE_SIMULATION_SEEDS
/// says how many are run, OCTOSTORE_SIMULATION_SECONDS for how long beyond the usual ones; both go
/// on until every path was reached. Bugs planted at the seams must
/// be caught, and every rare path must have been reached.
#include "Simulation.h"

#include "support/TestSeed.h"

#include <octostore/plugin/AbiTag.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::simulation
{

namespace
{

std::uint64_t numberFrom(const char* variable, std::uint64_t otherwise)
{
    const char* text = std::getenv(variable);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

constexpr bool sanitized = std::string_view(OCTOSTORE_SANITIZER_TAG) != "none";
#ifdef NDEBUG
constexpr std::uint64_t seedsUnwatched = 100;
#else
constexpr std::uint64_t seedsUnwatched = 30;
#endif
constexpr std::uint64_t seedsOtherwise = sanitized ? 12 : seedsUnwatched;
/// What happens in them is less varied.
constexpr std::uint64_t calmSeeds = seedsOtherwise / 5;
constexpr std::uint64_t restoredSeeds = seedsOtherwise / 2;

using Paths = std::vector<const char*>;

/// The paths that no run has been on.
Paths missing(const Paths& paths, const Counters& counters)
{
    Paths left;
    std::copy_if(paths.begin(), paths.end(), std::back_inserter(left),
                 [&counters](const char* path) { return counters.count(path) == 0; });
    return left;
}

/// Runs many seeds, or the one that is asked for; prints what was reached, which must be all of
/// `paths`. However slow the machine is, it runs `otherwise` seeds, and more of them when those
/// that were drawn do not get everywhere.
void runMany(Plan plan, const Paths& paths, std::uint64_t otherwise = seedsOtherwise)
{
    constexpr std::uint64_t patience = 5;
    using SteadyClock = std::chrono::steady_clock;
    Counters counters;
    const bool one = test::repeatedSeed().has_value();
    const std::uint64_t first = test::testSeed(1);
    const std::uint64_t seeds = one ? 1 : numberFrom("OCTOSTORE_SIMULATION_SEEDS", otherwise);
    const auto end = SteadyClock::now() +
                     std::chrono::seconds(numberFrom("OCTOSTORE_SIMULATION_SECONDS", 100'000));
    std::uint64_t commits = 0;
    std::uint64_t seed = first;
    const auto goesOn = [&]
    {
        const std::uint64_t done = seed - first;
        if (done < std::min(seeds, otherwise))
            return true;
        return (done < seeds && SteadyClock::now() < end) ||
               (!one && done < patience * otherwise && !missing(paths, counters).empty());
    };
    for (; goesOn(); ++seed)
    {
        plan.seed = seed;
        const Report result = simulate(plan, counters);
        commits += result.commits;
        EXPECT_EQ(result.verdict, "") << "OCTOSTORE_TEST_SEED=" << seed << " repeats it";
        if (!result.verdict.empty())
            return;
    }
    std::cout << "seeds " << first << " to " << seed - 1 << ", " << commits << " revisions\n";
    for (const auto& [what, count] : counters)
        std::cout << "  " << what << ": " << count << "\n";
    if (!one) // one run need not reach everything
    {
        EXPECT_EQ(missing(paths, counters), Paths()) << "never reached";
    }
}

Plan sharedPlan()
{
    return {};
}

/// Only clients, and clocks that differ: every bound is exact.
Plan calmPlan(bool crashes)
{
    Plan plan;
    plan.calm = true;
    plan.crashes = crashes;
    plan.clients = 9;
    plan.locks = 1;
    return plan;
}

Plan exclusivePlan()
{
    Plan plan;
    plan.shared = false;
    // So that more than one commit is on its way when the disk forgets.
    plan.clients = 10;
    plan.locks = 8;
    return plan;
}

Plan restored(Plan plan)
{
    plan.restores = true;
    return plan;
}

/// True once some seed shows the bug: one of two promises is broken.
bool isCaught(Plan plan, const std::string& promise, const std::string& other)
{
    Counters counters;
    for (plan.seed = 1; plan.seed <= 40; ++plan.seed)
    {
        const Report result = simulate(plan, counters);
        if (result.verdict.find(promise) != std::string::npos ||
            result.verdict.find(other) != std::string::npos)
            return true;
        EXPECT_EQ(result.verdict, "") << "another promise than " << promise << " is broken";
    }
    return false;
}

bool isCaught(Plan plan, const std::string& promise)
{
    return isCaught(plan, promise, promise);
}

Plan with(Plan plan, Bug bug)
{
    plan.bug = bug;
    return plan;
}

} // namespace

TEST(SimulationTest, SeveralServersOnOneStoreKeepThePromises)
{
    runMany(sharedPlan(), {"answer lost",
                           "barrier raised",
                           "call repeated",
                           "client crashed",
                           "client paused",
                           "commit answer lost",
                           "commit late",
                           "commit request lost",
                           "commit unavailable",
                           "conflict for nothing",
                           "end and grant in one",
                           "end told again as it was",
                           "feed lags",
                           "late commit applied",
                           "late commit fenced off",
                           "lease ended by its server at its deadline",
                           "lease ended at its shorter deadline",
                           "lease ended without its server",
                           "lease renewed for less",
                           "message delayed",
                           "repeat told of its end",
                           "request abandoned",
                           "request doubled",
                           "request lost",
                           "request overtaken by a later one",
                           "served with others behind",
                           "server crashed",
                           "server crashed with requests open",
                           "server started again",
                           "session ran out",
                           "store unreachable",
                           "sync",
                           "sync failed",
                           "time told by a clock of another rate",
                           "told that nothing was changed",
                           "turn missed",
                           "turn of a server that is gone",
                           "turn passed on",
                           "turn taken before other servers"});
}

TEST(SimulationTest, OneServerOnADiskThatForgetsKeepsThePromises)
{
    runMany(exclusivePlan(), {"answer lost",
                              "call repeated",
                              "client crashed",
                              "client paused",
                              "crash kept what was written",
                              "crash lost what was written",
                              "crash tore what was written",
                              "disk full",
                              "disk stalled",
                              "lease ended at its shorter deadline",
                              "lease renewed for less",
                              "message delayed",
                              "request abandoned",
                              "request doubled",
                              "request lost",
                              "request overtaken by a later one",
                              "served with others behind",
                              "server crashed",
                              "server crashed with requests open",
                              "server started again",
                              "store unreachable",
                              "time told by a clock of another rate",
                              "unsynced transaction kept",
                              "unsynced transaction lost",
                              "unwritten transaction lost"});
}

TEST(SimulationTest, AStoreThatIsRestoredFromACopyKeepsThePromises)
{
    runMany(restored(exclusivePlan()),
            {"crash tore what was written", "not granted after a restore", "restored",
             "restored, with the time the old server stopped", "server crashed"},
            restoredSeeds);
}

TEST(SimulationTest, AStoreThatIsRestoredBelowItsServersKeepsThePromises)
{
    runMany(restored(sharedPlan()),
            {"commit late", "late commit fenced off", "not granted after a restore", "restored",
             "server crashed", "server stopped because its store is another one"},
            restoredSeeds);
}

TEST(SimulationTest, OnCalmServersNobodyWaitsLongerThanItsTurnAndNoLeaseOutlastsItsDeadline)
{
    runMany(calmPlan(false),
            {"lease ended by its server at its deadline", "served with others behind",
             "turn passed on", "turn taken before other servers"},
            calmSeeds);
}

TEST(SimulationTest, AServerThatCrashesCostsTheOthersNoMoreThanIsPromised)
{
    runMany(calmPlan(true),
            {"lease ended without its server", "server crashed", "turn of a server that is gone",
             "turn taken before other servers"},
            calmSeeds);
}

TEST(SimulationTest, ASeedGivesTheSameRunAgain)
{
    Plan plan = sharedPlan();
    plan.seed = 4711;
    Counters first;
    Counters second;
    const Report once = simulate(plan, first);
    const Report again = simulate(plan, second);
    EXPECT_EQ(once.steps, again.steps);
    EXPECT_EQ(once.commits, again.commits);
    EXPECT_EQ(first, second);
}

TEST(SimulationTest, AServerThatExpiresEarlyIsCaught)
{
    EXPECT_TRUE(isCaught(with(sharedPlan(), Bug::EarlyExpiry), "G4"));
}

TEST(SimulationTest, ARenewalThatIsCutShortIsCaught)
{
    EXPECT_TRUE(isCaught(with(sharedPlan(), Bug::Shortened), "G4"));
}

TEST(SimulationTest, ATermThatIsReusedIsCaught)
{
    EXPECT_TRUE(isCaught(with(exclusivePlan(), Bug::TermReused), "G3"));
}

TEST(SimulationTest, AWaiterThatIsOvertakenIsCaught)
{
    EXPECT_TRUE(isCaught(with(exclusivePlan(), Bug::WaiterOvertaken), "G6"));
}

TEST(SimulationTest, AServerThatOvertakesTheWaitersOfOthersIsCaught)
{
    EXPECT_TRUE(isCaught(with(sharedPlan(), Bug::ServerOvertaken), "G6"));
}

TEST(SimulationTest, AServerThatOvertakesTheWaitersOfOthersIsCaughtWhenAllIsCalm)
{
    EXPECT_TRUE(isCaught(with(calmPlan(false), Bug::ServerOvertaken), "G6"));
}

TEST(SimulationTest, AServerThatExpiresLateIsCaught)
{
    EXPECT_TRUE(isCaught(with(calmPlan(false), Bug::LateExpiry), "G5"));
    EXPECT_TRUE(isCaught(with(sharedPlan(), Bug::LateExpiry), "G5"));
}

TEST(SimulationTest, AnEventThatIsSkippedIsCaught)
{
    EXPECT_TRUE(isCaught(with(sharedPlan(), Bug::EventSkipped), "G7"));
}

TEST(SimulationTest, EventsInTheWrongOrderAreCaught)
{
    EXPECT_TRUE(isCaught(with(sharedPlan(), Bug::EventsOutOfOrder), "G7"));
}

TEST(SimulationTest, AnAnswerFromAStaleViewIsCaught)
{
    EXPECT_TRUE(isCaught(with(sharedPlan(), Bug::StaleView), "stale view"));
}

TEST(SimulationTest, AGrantAtOnceAfterARestoreIsCaught)
{
    EXPECT_TRUE(isCaught(with(restored(exclusivePlan()), Bug::GrantsAtOnce), "G2"));
    EXPECT_TRUE(isCaught(with(restored(sharedPlan()), Bug::GrantsAtOnce), "G2"));
}

TEST(SimulationTest, TermsThatComeAgainAfterARestoreAreCaught)
{
    EXPECT_TRUE(isCaught(with(restored(exclusivePlan()), Bug::TermsComeAgain), "G1", "G7"));
}

TEST(SimulationTest, RestoredLeasesThatDoNotGetTheirTimeAgainAreCaught)
{
    EXPECT_TRUE(isCaught(with(restored(exclusivePlan()), Bug::TimeNotRenewed), "G4"));
}

TEST(SimulationTest, AnAcknowledgementBeforeTheDiskHasItIsCaught)
{
    EXPECT_TRUE(isCaught(with(exclusivePlan(), Bug::AcknowledgedEarly), "G3", "G7"));
}

} // namespace octostore::simulation
