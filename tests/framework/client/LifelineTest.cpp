// SPDX-License-Identifier: MIT
#include <octostore/client/Lifeline.h>

#include <gtest/gtest.h>

namespace octostore::client
{

using namespace std::chrono_literals;

class LifelineTest : public testing::Test
{
protected:
    const BootTime _start{1000s};
    Lifeline _line{10s, Lifeline::usualRenewal(10s)};
};

TEST_F(LifelineTest, TheDeadlineCountsFromWhenTheRequestWasSent)
{
    _line.confirm({_start, 0ms}, _start + 3s);
    EXPECT_EQ(_line.deadline(), _start + 8s);
    EXPECT_EQ(_line.dueAt(), _start + 4500ms);
}

TEST_F(LifelineTest, OfTheTimeTheServerWaited99PercentCount)
{
    _line.confirm({_start, 50s}, _start + 51s);
    EXPECT_EQ(_line.deadline(), _start + 49500ms + 8s);
}

TEST_F(LifelineTest, AServerCannotHaveWaitedLongerThanTheRequestTook)
{
    _line.confirm({_start, 1h}, _start + 1s);
    EXPECT_EQ(_line.deadline(), _start + 990ms + 8s);
    Lifeline other(10s, 4500ms);
    other.confirm({_start, -1h}, _start + 1s);
    EXPECT_EQ(other.deadline(), _start + 8s);
}

TEST_F(LifelineTest, TheDeadlineNeverMovesBack)
{
    _line.confirm({_start, 0ms}, _start);
    _line.confirm({_start - 5s, 0ms}, _start);
    EXPECT_EQ(_line.deadline(), _start + 8s);
}

TEST_F(LifelineTest, APauseLeavesTimeForMoreTries)
{
    _line.confirm({_start, 0ms}, _start);
    BootTime now = _start + 4500ms;
    int tries = 0;
    while (now < _line.deadline() - 100ms)
    {
        _line.postpone(now, 1h);
        EXPECT_GT(_line.dueAt(), now);
        EXPECT_LT(_line.dueAt(), _line.deadline());
        now = _line.dueAt();
        ++tries;
    }
    EXPECT_GT(tries, 5);
}

TEST_F(LifelineTest, OneTryTakesAtMostHalfOfWhatIsLeft)
{
    _line.confirm({_start, 0ms}, _start);
    EXPECT_EQ(_line.tryTimeout(_start + 4s, 10s), 2s);
    EXPECT_EQ(_line.tryTimeout(_start + 4s, 1s), 1s);
    EXPECT_EQ(_line.tryTimeout(_start + 9s, 10s), 100ms);
}

} // namespace octostore::client
