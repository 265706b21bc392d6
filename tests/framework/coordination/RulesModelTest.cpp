// SPDX-License-Identifier: MIT
/// @file
/// Goal: decide() and the naive model agree on every answer and every state. Method: random
/// commands on eight names, each committed at once; time jumps, so that deadlines and delays pass
/// without anybody recording it. OCTOSTORE_TEST_SEED repeats a run.
#include "NaiveModel.h"
#include "RandomCommands.h"
#include "support/TestSeed.h"

#include <map>

namespace octostore::coordination::test
{

namespace
{

#ifdef NDEBUG
constexpr std::size_t commands = 200'000;
#else
constexpr std::size_t commands = 40'000;
#endif

class RulesModelTest : public ::testing::Test
{
protected:
    Reply run(const std::string& name, const Command& command)
    {
        NameState& state = states[name];
        Scope scope;
        if (const auto* acquire = std::get_if<Acquire>(&command))
            scope.leasesOfPrincipal = model.leasesOf(acquire->principal);
        scope.liveRooms = model.liveRooms();
        const event::Actor actor{event::ActorKind::User, "somebody"};
        Decision decision =
            decide(Subject{name, actor, RequestId{}}, state, scope, limits, command, now);
        if (const auto* answer = std::get_if<Answer>(&decision))
            return answer->reply;
        if (const auto* wait = std::get_if<Wait>(&decision))
            return wait->reply;
        revision = Revision(revision.value() + 1 + random.below(3));
        auto [after, reply] =
            committed(std::get<Write>(std::move(decision)), backend::Committed{revision});
        state = after;
        return reply;
    }

    /// The deadline passed, and sometimes somebody records it.
    void recordEnd(const std::string& name)
    {
        const NameState& state = states[name];
        const bool held = state.lease && state.lease->state == backend::LeaseState::Held;
        EXPECT_TRUE(!held || isLive(state, now.boot) || is<Ended>(run(name, EndOfLease{})));
    }

    const Limits limits = smallLimits();
    NaiveModel model{limits};
    const std::uint64_t seed = octostore::test::testSeed();
    RandomCommands random{seed};
    Now now{BootTime{1000s}, WallTime{1'700'000'000s}};
    Revision revision;
    std::map<std::string, NameState> states;
    std::map<std::string, bool> answeredAgain;
};

TEST_F(RulesModelTest, RandomCommandsGetTheAnswersOfTheNaiveModel)
{
    for (std::size_t i = 0; i < commands; ++i)
    {
        const BootClock::duration pause = random.pause();
        now.boot += pause;
        now.wall += pause + (random.oneIn(50) ? std::chrono::hours(random.oneIn(2) ? 1 : -1) : 0h);
        model.passTo(now.boot);
        const std::string name = random.name();
        if (random.oneIn(2))
            recordEnd(name);

        const Command command = random.command(name);
        // How often a lease was answered for is not the rules' to know.
        if (std::holds_alternative<EndOfLease>(command) && answeredAgain[name])
            continue;
        const Ticket ticket(i + 1);
        const Reply reply = run(name, command); // its scope is what the model knows so far
        model.submit(ticket, name, command, 0ms, now.boot);
        ASSERT_EQ(model.check({{ticket, reply}}), "") << "command " << i << " on " << name;
        random.learn(name, reply);
        if (const auto* granted = std::get_if<Granted>(&reply))
            answeredAgain[name] = !granted->fresh;
        if (::testing::Test::HasFailure())
            return;

        const std::string other = random.name();
        ASSERT_EQ(model.check(statusOf(other, states[other], now.boot), now.boot), "")
            << "after command " << i << ", status of " << other;
    }
}

} // namespace

} // namespace octostore::coordination::test
