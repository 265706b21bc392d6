// SPDX-License-Identifier: MIT
#include <octostore/client/Authority.h>

#include <gtest/gtest.h>

namespace octostore::client
{

using namespace std::chrono_literals;

namespace
{

Failure transport()
{
    return readFailure(TransportFailure{TransportFault::Timeout, "late"});
}

Failure refusal(const std::string& code)
{
    Failure failure;
    failure.status = 404;
    failure.code = code;
    return failure;
}

} // namespace

class AuthorityTest : public testing::Test
{
protected:
    /// A lease of 10 s.
    static AuthorityTerms terms() { return {10s, std::nullopt, 0ms}; }

    void grant() { ASSERT_TRUE(_authority.grant({_start, 0ms}, _start + 100ms)); }

    const BootTime _start{1000s};
    Authority _authority{terms()};
};

TEST_F(AuthorityTest, AGrantIsHeldUntilItsDeadlineAndNoLonger)
{
    grant();
    _authority.advance(_start + 8s - 1ns);
    EXPECT_EQ(_authority.state(), AuthorityState::Holding);
    EXPECT_EQ(_authority.remaining(_start + 7s), 1s);
    _authority.advance(_start + 8s);
    EXPECT_EQ(_authority.state(), AuthorityState::Uncertain);
    EXPECT_EQ(_authority.reason(), "deadline");
    EXPECT_EQ(_authority.remaining(_start + 9s), 0ms);
}

TEST_F(AuthorityTest, AConfirmedRenewalMovesTheDeadline)
{
    grant();
    _authority.confirm(Line::Lease, {_start + 4s, 0ms}, _start + 5s);
    EXPECT_EQ(_authority.deadline(), _start + 12s);
    _authority.advance(_start + 11s);
    EXPECT_EQ(_authority.state(), AuthorityState::Holding);
}

TEST_F(AuthorityTest, AFailureWithoutProofIsRetriedAndNamedWhenTheDeadlineComes)
{
    grant();
    _authority.fail(Line::Lease, transport(), _start + 5s, 200ms);
    EXPECT_EQ(_authority.state(), AuthorityState::Holding);
    EXPECT_EQ(_authority.line(Line::Lease).dueAt(), _start + 5200ms);
    _authority.advance(_start + 8s);
    EXPECT_EQ(_authority.state(), AuthorityState::Uncertain);
    EXPECT_EQ(_authority.reason(), "timeout");
}

TEST_F(AuthorityTest, ProofOfLossEndsItAtOnce)
{
    grant();
    _authority.fail(Line::Lease, refusal("lease_not_current"), _start + 5s, 200ms);
    EXPECT_EQ(_authority.state(), AuthorityState::Lost);
    EXPECT_EQ(_authority.reason(), "lease_not_current");
}

TEST_F(AuthorityTest, ALateConfirmationBringsNothingBack)
{
    grant();
    _authority.confirm(Line::Lease, {_start + 4s, 0ms}, _start + 8s);
    EXPECT_EQ(_authority.state(), AuthorityState::Uncertain);
    _authority.confirm(Line::Lease, {_start + 8s, 0ms}, _start + 8s);
    EXPECT_EQ(_authority.state(), AuthorityState::Uncertain);
    _authority.released();
    EXPECT_EQ(_authority.state(), AuthorityState::Uncertain);
}

TEST_F(AuthorityTest, AMachineThatSlepThroughTheDeadlineDoesNotHold)
{
    grant();
    // The clock runs on while the machine is suspended; the answer of before is on the desk.
    const BootTime woken = _start + 1h;
    _authority.confirm(Line::Lease, {_start + 4s, 0ms}, woken);
    EXPECT_EQ(_authority.state(), AuthorityState::Uncertain);
}

TEST_F(AuthorityTest, AGrantThatIsOverWhenItIsReadWasNeverHeld)
{
    EXPECT_FALSE(_authority.grant({_start, 0ms}, _start + 8s));
    EXPECT_EQ(_authority.state(), AuthorityState::Waiting);
    EXPECT_TRUE(_authority.grant({_start + 9s, 0ms}, _start + 10s));
    EXPECT_EQ(_authority.deadline(), _start + 17s);
}

TEST_F(AuthorityTest, AReserveEndsUseEarlierAndLeavesTimeForTwoTries)
{
    Authority authority({10s, std::nullopt, stopReserve(1s)});
    ASSERT_TRUE(authority.grant({_start, 0ms}, _start));
    EXPECT_EQ(authority.deadline(), _start + 8s);
    EXPECT_EQ(authority.endOfUse(), _start + 6750ms);
    EXPECT_EQ(authority.line(Line::Lease).dueAt(), _start + 3375ms);
    authority.advance(_start + 6750ms);
    EXPECT_EQ(authority.state(), AuthorityState::Uncertain);
}

TEST_F(AuthorityTest, StopTimesLieBeforeTheDeadline)
{
    const StopTimes times = stopTimes(_start + 8s, 1s);
    EXPECT_EQ(times.kill, _start + 7750ms);
    EXPECT_EQ(times.terminate, _start + 6750ms);
    EXPECT_TRUE(leavesTimeToWork(5s, 1s));
    EXPECT_TRUE(leavesTimeToWork(5s, 2750ms));
    EXPECT_FALSE(leavesTimeToWork(5s, 2751ms));
    EXPECT_FALSE(leavesTimeToWork(1s, 0ms));
}

TEST_F(AuthorityTest, AReleaseIsOneOrIsUncertain)
{
    grant();
    Authority other(terms());
    ASSERT_TRUE(other.grant({_start, 0ms}, _start));
    _authority.released();
    EXPECT_EQ(_authority.state(), AuthorityState::Released);
    other.releaseUnconfirmed("timeout");
    EXPECT_EQ(other.state(), AuthorityState::Uncertain);
    EXPECT_EQ(other.reason(), "timeout");
}

class SessionAuthorityTest : public testing::Test
{
protected:
    void SetUp() override
    {
        _authority.openSession({_start, 0ms}, _start);
        ASSERT_TRUE(_authority.grant({_start + 20s, 0ms}, _start + 20s));
    }

    const BootTime _start{1000s};
    Authority _authority{{120s, Milliseconds(30s), 0ms}};
};

TEST_F(SessionAuthorityTest, TheLesserOfLeaseAndSessionCounts)
{
    EXPECT_EQ(_authority.deadline(), _start + 24s);
    _authority.confirm(Line::Session, {_start + 21s, 0ms}, _start + 21s);
    EXPECT_EQ(_authority.deadline(), _start + 45s);
    for (int i = 2; i < 5; ++i)
        _authority.confirm(Line::Session, {_start + i * 20s, 0ms}, _start + i * 20s);
    _authority.confirm(Line::Session, {_start + 99s, 0ms}, _start + 99s);
    EXPECT_EQ(_authority.deadline(), _start + 116s);
}

TEST_F(SessionAuthorityTest, TheLossOfTheSessionIsTheLossOfTheLock)
{
    _authority.fail(Line::Session, refusal("session_expired"), _start + 21s, 100ms);
    EXPECT_EQ(_authority.state(), AuthorityState::Lost);
    EXPECT_EQ(_authority.reason(), "session_expired");
}

TEST_F(SessionAuthorityTest, ASessionIsKeptAliveWhileWaiting)
{
    Authority waiting({120s, Milliseconds(30s), 0ms});
    waiting.openSession({_start, 0ms}, _start);
    waiting.confirm(Line::Session, {_start + 20s, 0ms}, _start + 20s);
    waiting.advance(_start + 1h);
    EXPECT_EQ(waiting.state(), AuthorityState::Waiting);
    EXPECT_FALSE(waiting.grant({_start + 44s, 0ms}, _start + 44s)); // the session is over
    waiting.openSession({_start + 50s, 0ms}, _start + 50s);
    EXPECT_TRUE(waiting.grant({_start + 51s, 0ms}, _start + 51s));
}

} // namespace octostore::client
