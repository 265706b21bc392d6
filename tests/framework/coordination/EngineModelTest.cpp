// SPDX-License-Identifier: MIT
/// @file
/// Goal: the engine and the naive model agree on every answer, every state and every order of
/// service while the store commits at once. Method: random commands with waiting, abandoning,
/// give-backs, restarts and jumps of days; the clock stops at every instant at which something is
/// due. The same on a shared store, where answers wait for syncs and waiters for turns, but without
/// restarts: there the time left is not known exactly afterwards. OCTOSTORE_TEST_SEED repeats a
/// run.
#include "ModelRun.h"
#include "support/TestSeed.h"

namespace octostore::coordination::test
{

namespace
{

#ifdef NDEBUG
constexpr std::size_t commandsPerRun = 100'000;
#else
constexpr std::size_t commandsPerRun = 10'000;
#endif

} // namespace

class EngineModelTest : public ::testing::TestWithParam<int>
{
protected:
    explicit EngineModelTest(bool shared = false)
        : run(seed + static_cast<std::uint64_t>(GetParam()), shared)
    {
    }

    void play(std::size_t commands)
    {
        run.run(commands);
        ASSERT_FALSE(HasFailure()) << "seed " << seed << ", step " << run.steps();
        run.expectRest();
    }

    const std::uint64_t seed = octostore::test::testSeed();
    ModelRun run;
};

TEST_P(EngineModelTest, RandomCommandsGetTheAnswersOfTheNaiveModel)
{
    play(commandsPerRun);
}

INSTANTIATE_TEST_SUITE_P(Runs, EngineModelTest, ::testing::Range(0, 10));

class SharedEngineModelTest : public EngineModelTest
{
protected:
    SharedEngineModelTest() : EngineModelTest(true) {}
};

TEST_P(SharedEngineModelTest, RandomCommandsGetTheAnswersOfTheNaiveModel)
{
    play(commandsPerRun / 5);
    for (const auto& [key, record] : run.harness().store().records())
        EXPECT_NE(key.name.compare(0, 8, "waiting/"), 0) << key.name;
}

INSTANTIATE_TEST_SUITE_P(Runs, SharedEngineModelTest, ::testing::Range(0, 2));

} // namespace octostore::coordination::test
