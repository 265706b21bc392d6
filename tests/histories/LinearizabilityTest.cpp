// SPDX-License-Identifier: MIT
// Goal: the checker accepts what a correct server can answer and nothing else.
// Method: small histories written by hand, and long ones drawn by lot from a correct lock, whole
// and with one answer changed.
#include "Linearizability.h"

#include "support/TestSeed.h"

#include <gtest/gtest.h>

#include <random>

namespace octostore::test
{
namespace
{

constexpr int alice = 0;
constexpr int bob = 1;

Operation acquired(int who, std::string lease, std::int64_t term, std::int64_t from,
                   std::int64_t to)
{
    return {who, Action::Acquire, Told::Granted, std::move(lease), term, from, to};
}
Operation told(int who, Action action, Told answer, std::string lease, std::int64_t from,
               std::int64_t to, std::int64_t term = 0)
{
    return {who, action, answer, std::move(lease), term, from, to};
}

TEST(LinearizabilityTest, AcceptsOneAfterTheOther)
{
    EXPECT_FALSE(
        refuse({acquired(alice, "a", 1, 0, 1), told(bob, Action::Acquire, Told::Held, "", 2, 3),
                told(alice, Action::Renew, Told::Done, "a", 4, 5),
                told(alice, Action::Release, Told::Done, "a", 6, 7),
                told(alice, Action::Release, Told::NotCurrent, "a", 8, 9),
                told(bob, Action::Status, Told::Free, "", 10, 11), acquired(bob, "b", 5, 12, 13),
                acquired(bob, "b", 5, 14, 15)}));
}

TEST(LinearizabilityTest, AcceptsTheOtherOrderOfWhatOverlaps)
{
    EXPECT_FALSE(refuse({acquired(bob, "b", 2, 0, 10), acquired(alice, "a", 1, 1, 9),
                         told(alice, Action::Release, Told::Done, "a", 1, 9)}));
}

TEST(LinearizabilityTest, RefusesTwoHoldersAtOnce)
{
    EXPECT_TRUE(refuse({acquired(alice, "a", 1, 0, 1), acquired(bob, "b", 2, 2, 3)}));
    EXPECT_TRUE(refuse({acquired(alice, "a", 1, 0, 5), acquired(bob, "b", 2, 0, 5)}));
}

TEST(LinearizabilityTest, RefusesATermThatDoesNotGrow)
{
    for (const std::int64_t term : {6, 7})
        EXPECT_TRUE(refuse({acquired(alice, "a", 7, 0, 1),
                            told(alice, Action::Release, Told::Done, "a", 2, 3),
                            acquired(bob, "b", term, 4, 5)}));
}

TEST(LinearizabilityTest, RefusesAStaleStatus)
{
    EXPECT_TRUE(
        refuse({acquired(alice, "a", 1, 0, 1), told(bob, Action::Status, Told::Free, "", 2, 3)}));
    EXPECT_TRUE(
        refuse({acquired(alice, "a", 1, 0, 1), told(alice, Action::Release, Told::Done, "a", 2, 3),
                told(bob, Action::Status, Told::Held, "", 4, 5, 1)}));
}

TEST(LinearizabilityTest, RefusesAGrantThatIsForgotten)
{
    EXPECT_TRUE(refuse(
        {acquired(alice, "a", 1, 0, 1), told(alice, Action::Renew, Told::NotCurrent, "a", 2, 3)}));
}

TEST(LinearizabilityTest, RefusesALeaseThatComesBack)
{
    EXPECT_TRUE(
        refuse({acquired(alice, "a", 1, 0, 1), told(alice, Action::Release, Told::Done, "a", 2, 3),
                told(alice, Action::Renew, Told::Done, "a", 4, 5)}));
    EXPECT_TRUE(refuse({acquired(alice, "a", 1, 0, 1), acquired(alice, "c", 2, 2, 3)}));
}

TEST(LinearizabilityTest, AcceptsAnyNumberOfThingsWhileOneIsUnderWay)
{
    History history = {acquired(alice, "a", 1, 0, 1)};
    for (std::int64_t i = 0; i < 200; ++i)
        history.push_back(told(bob, Action::Status, Told::Held, "", 10 * i + 3, 10 * i + 4, 1));
    history.push_back(told(alice, Action::Release, Told::Done, "a", 2, 10'000));
    history.push_back(told(bob, Action::Status, Told::Free, "", 10'001, 10'002));
    EXPECT_FALSE(refuse(history));
    history.push_back(told(bob, Action::Status, Told::Held, "", 10'003, 10'004, 1));
    EXPECT_TRUE(refuse(history));
}

TEST(LinearizabilityTest, AcceptsBothFatesOfWhatGotNoAnswer)
{
    const Operation grant = told(alice, Action::Acquire, Told::Nothing, "", 0, 100);
    EXPECT_FALSE(refuse({grant, told(bob, Action::Status, Told::Free, "", 200, 201)}));
    EXPECT_FALSE(refuse({grant, told(bob, Action::Status, Told::Held, "", 200, 201, 4),
                         acquired(alice, "a", 4, 202, 203)}));
    EXPECT_FALSE(refuse({acquired(alice, "a", 1, 0, 1),
                         told(alice, Action::Release, Told::Nothing, "a", 2, 100),
                         acquired(bob, "b", 2, 3, 4)}));
}

TEST(LinearizabilityTest, RefusesTwoFatesOfWhatGotNoAnswer)
{
    const Operation grant = told(alice, Action::Acquire, Told::Nothing, "", 0, 100);
    EXPECT_TRUE(refuse({grant, told(bob, Action::Status, Told::Held, "", 10, 11, 4),
                        told(bob, Action::Status, Told::Free, "", 20, 21)}));
    EXPECT_TRUE(refuse({grant, told(bob, Action::Status, Told::Held, "", 10, 11, 4),
                        acquired(alice, "a", 5, 20, 21)}));
    // The server is dead: later it cannot happen any more.
    EXPECT_TRUE(refuse({grant, told(bob, Action::Status, Told::Free, "", 200, 201),
                        told(bob, Action::Status, Told::Held, "", 300, 301, 4)}));
}

/// A correct lock; every answer takes effect in the middle of its time.
History drawn(std::mt19937_64& random, int count)
{
    History history;
    int holder = -1;
    std::int64_t term = 0;
    for (int i = 0; i < count; ++i)
    {
        const std::int64_t middle = 100 * (i + 1);
        Operation next;
        next.holder = static_cast<int>(random() % 3);
        next.invoked = middle - static_cast<std::int64_t>(random() % 250);
        next.returned = middle + static_cast<std::int64_t>(random() % 250);
        next.action = random() % 2 == 0 ? Action::Acquire : Action::Status;
        if (holder >= 0 && random() % 2 == 0)
        {
            next.holder = holder;
            next.action = Action::Release;
        }
        if (next.action == Action::Acquire && holder < 0)
        {
            holder = next.holder;
            term += 1 + static_cast<std::int64_t>(random() % 3);
        }
        const bool mine = holder == next.holder;
        next.lease = "lease " + std::to_string(term);
        next.term = term;
        if (next.action == Action::Release)
            next.told = Told::Done;
        else if (next.action == Action::Acquire && mine)
            next.told = Told::Granted;
        else
            next.told = holder < 0 ? Told::Free : Told::Held;
        if (next.action == Action::Release)
            holder = -1;
        history.push_back(next);
    }
    return history;
}

TEST(LinearizabilityTest, AcceptsDrawnHistoriesAndRefusesThemWithAnotherTerm)
{
    const std::uint64_t seed = testSeed();
    std::mt19937_64 random(seed);
    for (int round = 0; round < 50; ++round)
    {
        History history = drawn(random, 200);
        const auto refusal = refuse(history);
        ASSERT_FALSE(refusal) << "seed " << seed << ": " << *refusal;
        // The last grant as if it had been the first one.
        for (auto operation = history.rbegin(); operation != history.rend(); ++operation)
        {
            if (operation->told != Told::Granted)
                continue;
            operation->term = 1;
            operation->lease = "lease 1";
            break;
        }
        EXPECT_TRUE(refuse(history)) << "seed " << seed;
    }
}

} // namespace
} // namespace octostore::test
