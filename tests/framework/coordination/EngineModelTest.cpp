// SPDX-License-Identifier: MIT
/// @file
/// Goal: the engine and the naive model agree on every answer, every state and every order of
/// service while the store commits at once. Method: random commands with waiting, abandoning,
/// give-backs, restarts and jumps of days; the clock stops at every instant at which something is
/// due. The same on a shared store, where answers wait for syncs and waiters for turns, but without
/// restarts: there the time left is not known exactly afterwards. OCTOSTORE_TEST_SEED repeats a
/// run.
#include "EngineHarness.h"
#include "NaiveModel.h"
#include "RandomCommands.h"
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
    explicit EngineModelTest(bool shared = false) : isShared(shared), harness(limits, shared) {}

    void pass(BootClock::duration time)
    {
        const BootTime target = harness.now.boot + time;
        while (!HasFailure())
        {
            const auto engines = harness.engine().nextDeadline();
            const auto models = model.nextEvent();
            const BootTime next = engines.value_or(BootTime::max());
            ASSERT_LE(next, models.value_or(BootTime::max())) << "it would sleep too long";
            if (next > target)
                break;
            moveTo(std::max(next, harness.now.boot));
        }
        moveTo(target);
    }

    void moveTo(BootTime instant)
    {
        harness.step(instant - harness.now.boot);
        harness.advance();
        model.passTo(instant);
        compare();
    }

    void compare()
    {
        if (isShared) // what had to wait for a sync is due in the same instant
            harness.advance();
        const auto replies = harness.takeReplies();
        for (const auto& [ticket, reply] : replies)
        {
            const auto asked = names.find(ticket);
            ASSERT_NE(asked, names.end());
            random.learn(asked->second, reply);
            names.erase(asked);
        }
        ASSERT_EQ(model.check(replies), "") << "step " << step;
    }

    void submit()
    {
        const std::string name = random.name();
        const Command command = random.command(name);
        const bool asks =
            std::holds_alternative<Acquire>(command) || std::holds_alternative<Campaign>(command);
        const Milliseconds wait = asks ? random.wait() : 0ms;
        const Ticket ticket = harness.submit(name, command, wait);
        names[ticket] = name;
        model.submit(ticket, name, command, wait, harness.now.boot);
        compare();
    }

    void abandon()
    {
        const std::vector<Ticket> waiting = model.waiting();
        if (waiting.empty())
            return;
        const Ticket ticket = waiting[random.below(waiting.size())];
        names.erase(ticket);
        harness.abandon(ticket);
        model.abandon(ticket, harness.now.boot);
        compare();
    }

    void read()
    {
        const std::string name = random.name();
        const Status status = harness.status(name);
        ASSERT_EQ(model.check(status, harness.now.boot), "") << name << ", step " << step;
        const Term asked(status.lastTerm.value() + random.below(2));
        const Fence fence = harness.ask<Fence>(name, CheckFence{asked});
        ASSERT_EQ(model.check(fence, name, asked), "") << name << ", step " << step;
        harness.takeReplies();
    }

    void run(std::size_t count)
    {
        for (step = 0; step < count && !HasFatalFailure() && !HasFailure(); ++step)
        {
            pass(random.oneIn(20'000) ? BootClock::duration(24h + 40s) : random.pause());
            submit();
            if (random.oneIn(10))
                abandon();
            if (random.oneIn(4))
                read();
            if (random.oneIn(5'000) && !isShared)
            {
                harness.restart();
                model.restart();
                names.clear();
            }
            if (step % 1000 == 0)
                harness.forget();
        }
    }

    /// In the end everything runs out and everybody has been answered.
    void expectRest()
    {
        pass(10min);
        EXPECT_TRUE(names.empty());
        EXPECT_TRUE(model.waiting().empty());
        EXPECT_EQ(harness.ask<Counts>("", GetCounts{}).locks, 0U);
        EXPECT_EQ(harness.ask<Counts>("", GetCounts{}).rooms, 0U);
    }

    const bool isShared;
    const Limits limits = smallLimits();
    EngineHarness harness;
    NaiveModel model{limits};
    const std::uint64_t seed = octostore::test::testSeed() + static_cast<std::uint64_t>(GetParam());
    RandomCommands random{seed};
    std::map<Ticket, std::string> names; ///< of requests without an answer
    std::size_t step = 0;
};

TEST_P(EngineModelTest, RandomCommandsGetTheAnswersOfTheNaiveModel)
{
    run(commandsPerRun);
    ASSERT_FALSE(HasFailure()) << "seed " << seed - static_cast<std::uint64_t>(GetParam())
                               << ", step " << step;
    expectRest();
}

INSTANTIATE_TEST_SUITE_P(Runs, EngineModelTest, ::testing::Range(0, 10));

class SharedEngineModelTest : public EngineModelTest
{
protected:
    SharedEngineModelTest() : EngineModelTest(true) {}
};

TEST_P(SharedEngineModelTest, RandomCommandsGetTheAnswersOfTheNaiveModel)
{
    run(commandsPerRun / 5);
    ASSERT_FALSE(HasFailure()) << "seed " << seed - static_cast<std::uint64_t>(GetParam())
                               << ", step " << step;
    expectRest();
    for (const auto& [key, record] : harness.store().records())
        EXPECT_NE(key.name.compare(0, 8, "waiting/"), 0) << key.name;
}

INSTANTIATE_TEST_SUITE_P(Runs, SharedEngineModelTest, ::testing::Range(0, 2));

} // namespace octostore::coordination::test
