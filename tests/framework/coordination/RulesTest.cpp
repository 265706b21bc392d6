// SPDX-License-Identifier: MIT
/// @file
/// The rules of locks: who gets one, how long, and what is said afterwards.
#include "RulesFixture.h"

namespace octostore::coordination::test
{

class RulesTest : public RulesFixture
{
};

TEST_F(RulesTest, AFreeNameIsGrantedForItsTtl)
{
    Acquire acquire = acquireBy(1, 60s);
    acquire.metadata = "build 7";
    const Granted granted = as<Granted>(run(acquire));
    EXPECT_TRUE(granted.fresh);
    EXPECT_FALSE(granted.token);
    EXPECT_EQ(granted.waited, 0ms);
    EXPECT_EQ(granted.lease.term, Term(revision.value()));
    EXPECT_EQ(granted.lease.lease, acquire.freshLease);
    EXPECT_EQ(granted.lease.holder, acquire.holder);
    EXPECT_EQ(granted.lease.label, "user1");
    EXPECT_EQ(granted.lease.metadata, "build 7");
    EXPECT_EQ(granted.lease.ttl, 60s);
    EXPECT_EQ(granted.lease.deadline, now.boot + 60s);
    EXPECT_EQ(granted.lease.expiresAt, now.wall + 60s);
    EXPECT_EQ(granted.receipt.revision, revision);
    EXPECT_TRUE(isLive(state, now.boot));
    EXPECT_EQ(state.version, revision);
}

TEST_F(RulesTest, AGrantWritesOneRecordThatTheCommitWillNumber)
{
    run(acquireBy(1, 60s));
    ASSERT_TRUE(written);
    ASSERT_EQ(written->puts.size(), 1U);
    EXPECT_EQ(written->puts[0].key, (backend::Key{backend::Collection::Lease, name}));
    const auto& record = std::get<backend::LeaseRecord>(written->puts[0].value);
    EXPECT_EQ(record.state, backend::LeaseState::Held);
    EXPECT_EQ(record.kind, backend::LeaseKind::Lock);
    EXPECT_EQ(record.term, Term(0));
    EXPECT_EQ(record.deadline.boot, now.boot + 60s);
    EXPECT_EQ(record.deadline.clock, "this-boot");
    EXPECT_EQ(record.deadline.wall, now.wall + 60s);
    EXPECT_EQ(record.principal, idOf<PrincipalId>(1));
    EXPECT_EQ(record.grantedAt, now.wall);
    EXPECT_TRUE(written->erasures.empty());
}

TEST_F(RulesTest, EveryWriteHoldsOnlyForTheStateItWasDecidedOn)
{
    const Granted granted = as<Granted>(run(acquireBy(1, 60s)));
    ASSERT_TRUE(written);
    EXPECT_EQ(conditionOf(*written).key, (backend::Key{backend::Collection::Lease, name}));
    EXPECT_EQ(conditionOf(*written).kind, backend::Condition::Kind::Absent);

    const Revision before = state.version;
    run(Renew{credentialOf(granted.lease), 30s});
    ASSERT_TRUE(written);
    EXPECT_EQ(conditionOf(*written).kind, backend::Condition::Kind::AtVersion);
    EXPECT_EQ(conditionOf(*written).version, before);
}

TEST_F(RulesTest, ALiveLeaseIsHeldForEverybodyElse)
{
    Acquire first = acquireBy(1, 60s);
    first.metadata = "mine";
    const Granted granted = as<Granted>(run(first));
    pass(59'999ms);
    const Held held = as<Held>(run(acquireBy(2, 10s)));
    EXPECT_TRUE(mayWait);
    EXPECT_EQ(held.lease.holder, first.holder);
    EXPECT_EQ(held.lease.term, granted.lease.term);
    EXPECT_EQ(held.lease.deadline, granted.lease.deadline);
    EXPECT_EQ(held.lease.metadata, "mine");
    EXPECT_FALSE(held.queuePosition);
}

TEST_F(RulesTest, TheLeaseIdIsShownToItsHolderOnly)
{
    run(acquireBy(1, 60s));
    EXPECT_TRUE(as<Held>(run(acquireBy(2, 10s))).lease.lease.isNil());
    ASSERT_TRUE(status().lease);
    EXPECT_TRUE(status().lease->lease.isNil());
}

TEST_F(RulesTest, TheSameHolderGetsItsLeaseAgainAndNeverAShorterOne)
{
    Acquire first = acquireBy(1, 60s);
    first.metadata = "first";
    first.lockDelay = 5s;
    const Granted granted = as<Granted>(run(first));

    Acquire again = acquireBy(1, 30s, 2);
    again.metadata = "second";
    again.lockDelay = 20s;
    pass(10s);
    const Granted shorter = as<Granted>(run(again));
    EXPECT_FALSE(shorter.fresh);
    EXPECT_EQ(shorter.lease.lease, granted.lease.lease);
    EXPECT_EQ(shorter.lease.term, granted.lease.term);
    EXPECT_EQ(shorter.lease.metadata, "first");
    EXPECT_EQ(shorter.lease.deadline, granted.lease.deadline);

    again.ttl = 90s;
    const Granted longer = as<Granted>(run(again));
    EXPECT_EQ(longer.lease.deadline, now.boot + 90s);
    EXPECT_EQ(longer.lease.term, granted.lease.term);
    EXPECT_EQ(longer.lease.metadata, "first");
    ASSERT_TRUE(state.lease);
    EXPECT_EQ(state.lease->lockDelay, 5s);
    EXPECT_EQ(state.lease->deadline.boot, now.boot + 90s);
    EXPECT_EQ(state.lease->term, granted.lease.term);
}

TEST_F(RulesTest, AReacquireIsNoEvent)
{
    run(acquireBy(1, 60s));
    pass(10s);
    run(acquireBy(1, 60s, 2));
    EXPECT_TRUE(!written || !written->event);
}

TEST_F(RulesTest, TwoSessionsOfOneAccountContend)
{
    Acquire session = acquireBy(1, 60s);
    session.holder = idOf<HolderId>(500);
    run(session);
    EXPECT_TRUE(is<Held>(run(acquireBy(1, 60s, 2))));
}

TEST_F(RulesTest, ARenewalMovesTheDeadlineInEitherDirectionAndIsNoEvent)
{
    Acquire acquire = acquireBy(1, 60s);
    acquire.metadata = "kept";
    const Granted granted = as<Granted>(run(acquire));
    pass(20s);
    const Renewed longer = as<Renewed>(run(Renew{credentialOf(granted.lease), 100s}));
    EXPECT_EQ(longer.lease.deadline, now.boot + 100s);
    EXPECT_EQ(longer.lease.expiresAt, now.wall + 100s);
    EXPECT_EQ(longer.lease.term, granted.lease.term);
    EXPECT_EQ(longer.lease.lease, granted.lease.lease);
    EXPECT_EQ(longer.lease.metadata, "kept");
    EXPECT_FALSE(written->event);

    const Renewed shorter = as<Renewed>(run(Renew{credentialOf(granted.lease), 1s}));
    EXPECT_EQ(shorter.lease.deadline, now.boot + 1s);
    EXPECT_EQ(state.lease->deadline.boot, now.boot + 1s);
    pass(1s);
    EXPECT_FALSE(isLive(state, now.boot));
}

TEST_F(RulesTest, OnlyTheHolderWithItsLeaseIdRenewsOrReleases)
{
    const Granted granted = as<Granted>(run(acquireBy(1, 60s)));
    const LockCredential stranger{idOf<HolderId>(2), granted.lease.lease};
    const LockCredential guess{granted.lease.holder, idOf<LeaseId>(4)};
    for (const LockCredential& wrong : {stranger, guess})
    {
        EXPECT_EQ(codeOf(run(Renew{wrong, 60s})), ErrorCode::LeaseMismatch);
        EXPECT_FALSE(written);
        EXPECT_EQ(codeOf(run(Release{wrong})), ErrorCode::LeaseMismatch);
        EXPECT_FALSE(written);
    }
    EXPECT_TRUE(isLive(state, now.boot));
}

TEST_F(RulesTest, WhatWasNeverHeldIsGone)
{
    const LockCredential credential{idOf<HolderId>(1), idOf<LeaseId>(4)};
    EXPECT_EQ(codeOf(run(Renew{credential, 60s})), ErrorCode::LeaseGone);
    EXPECT_EQ(codeOf(run(Release{credential})), ErrorCode::LeaseGone);
}

TEST_F(RulesTest, ALeaseIsOverExactlyAtItsDeadlineWhateverTheRecordSays)
{
    const Granted granted = as<Granted>(run(acquireBy(1, 60s)));
    pass(60s - 1ns);
    EXPECT_TRUE(isLive(state, now.boot));
    EXPECT_TRUE(status().lease);
    EXPECT_TRUE(is<Held>(run(acquireBy(2, 60s))));
    EXPECT_TRUE(
        std::holds_alternative<Write>(decideOn(state, Renew{credentialOf(granted.lease), 1s})));

    pass(1ns);
    EXPECT_FALSE(isLive(state, now.boot));
    EXPECT_FALSE(status().lease);
    EXPECT_EQ(status().lastTerm, granted.lease.term);
    const Reply renewal = run(Renew{credentialOf(granted.lease), 60s});
    EXPECT_EQ(codeOf(renewal), ErrorCode::LeaseExpired);
    EXPECT_FALSE(written);
    const Reply release = run(Release{credentialOf(granted.lease)});
    EXPECT_EQ(codeOf(release), ErrorCode::LeaseExpired);
    ASSERT_TRUE(as<Refused>(release).ended);
    EXPECT_EQ(as<Refused>(release).ended->term, granted.lease.term);
    EXPECT_EQ(as<Refused>(release).ended->cause, event::Cause::Ttl);
    EXPECT_TRUE(is<Granted>(run(acquireBy(2, 60s))));
}

TEST_F(RulesTest, TheFormerHolderGetsANewLeaseAfterItsDeadline)
{
    const Granted first = as<Granted>(run(acquireBy(1, 60s)));
    pass(60s);
    Acquire again = acquireBy(1, 30s, 2);
    again.metadata = "new";
    const Granted second = as<Granted>(run(again));
    EXPECT_TRUE(second.fresh);
    EXPECT_GT(second.lease.term, first.lease.term);
    EXPECT_EQ(second.lease.lease, again.freshLease);
    EXPECT_EQ(second.lease.metadata, "new");
    EXPECT_EQ(second.lease.deadline, now.boot + 30s);
}

TEST_F(RulesTest, AReleaseEndsTheLeaseAndLeavesAVacantRecord)
{
    const Granted granted = as<Granted>(run(acquireBy(1, 60s)));
    pass(5s);
    EXPECT_EQ(as<Ended>(run(Release{credentialOf(granted.lease)})).term, granted.lease.term);
    ASSERT_TRUE(state.lease);
    EXPECT_EQ(state.lease->state, backend::LeaseState::Vacant);
    EXPECT_EQ(state.lease->term, granted.lease.term);
    EXPECT_EQ(state.lease->label, "user1");
    EXPECT_EQ(state.lease->cause, event::Cause::Released);
    EXPECT_EQ(state.lease->endedAt, now.wall);
    EXPECT_EQ(state.lease->deadline.boot, now.boot + rememberedFor);
    const auto& bytes = granted.lease.lease.uuid.bytes;
    EXPECT_EQ(state.lease->secretDigest,
              sha256({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
    EXPECT_TRUE(state.lease->lease.isNil()) << "only the digest is kept";
    EXPECT_FALSE(isLive(state, now.boot));
    EXPECT_EQ(status().lastTerm, granted.lease.term);
    EXPECT_FALSE(status().availableAt);
}

TEST_F(RulesTest, ARepeatedReleaseIsToldHowTheLeaseEnded)
{
    const Granted granted = as<Granted>(run(acquireBy(1, 60s)));
    const WallTime at = now.wall;
    run(Release{credentialOf(granted.lease)});
    pass(3s);
    for (const Command& repeat : {Command(Release{credentialOf(granted.lease)}),
                                  Command(Renew{credentialOf(granted.lease), 60s})})
    {
        const Refused refused = as<Refused>(run(repeat));
        EXPECT_EQ(refused.error.code, ErrorCode::LeaseGone);
        ASSERT_TRUE(refused.ended);
        EXPECT_EQ(refused.ended->term, granted.lease.term);
        EXPECT_EQ(refused.ended->cause, event::Cause::Released);
        EXPECT_EQ(refused.ended->at, at);
    }
    const Refused other = as<Refused>(run(Release{{granted.lease.holder, idOf<LeaseId>(4)}}));
    EXPECT_EQ(other.error.code, ErrorCode::LeaseGone);
    EXPECT_FALSE(other.ended) << "how it ended is for the one who had it";
}

TEST_F(RulesTest, TheNextGrantReplacesTheVacantRecordWithALargerTerm)
{
    const Granted first = as<Granted>(run(acquireBy(1, 60s)));
    run(Release{credentialOf(first.lease)});
    const Granted second = as<Granted>(run(acquireBy(2, 60s)));
    EXPECT_GT(second.lease.term, first.lease.term);
    EXPECT_EQ(state.lease->state, backend::LeaseState::Held);
    EXPECT_EQ(state.lease->cause, event::Cause::None);
    EXPECT_EQ(codeOf(run(Release{credentialOf(first.lease)})), ErrorCode::LeaseMismatch);
}

TEST_F(RulesTest, ADeadlineThatLiesAheadIsNotEndedByTime)
{
    run(acquireBy(1, 60s));
    pass(60s - 1ns);
    const Decision early = decideOn(state, EndOfLease{event::Cause::Ttl, std::nullopt});
    EXPECT_FALSE(std::holds_alternative<Write>(early));
    pass(1ns);
    run(EndOfLease{event::Cause::Ttl, std::nullopt});
    ASSERT_TRUE(written);
    EXPECT_EQ(state.lease->state, backend::LeaseState::Vacant);
    EXPECT_EQ(state.lease->cause, event::Cause::Ttl);
}

TEST_F(RulesTest, AnEndThatIsRecordedLateIsDatedAtTheDeadline)
{
    const Granted granted = as<Granted>(run(acquireBy(1, 60s)));
    pass(90s);
    run(EndOfLease{event::Cause::Ttl, std::nullopt});
    EXPECT_EQ(state.lease->endedAt, granted.lease.expiresAt);
}

TEST_F(RulesTest, AnAdministratorEndsTheTermItMeansAndNoOther)
{
    const Granted granted = as<Granted>(run(acquireBy(1, 60s)));
    const Term other(granted.lease.term.value() + 1);
    EXPECT_EQ(codeOf(run(ForceEnd{other, "stuck"})), ErrorCode::Conflict);
    EXPECT_FALSE(written);
    run(ForceEnd{granted.lease.term, "stuck"});
    EXPECT_FALSE(isLive(state, now.boot));
    EXPECT_EQ(state.lease->cause, event::Cause::ForceReleased);
    const Refused refused = as<Refused>(run(Renew{credentialOf(granted.lease), 60s}));
    EXPECT_EQ(refused.error.code, ErrorCode::LeaseGone);
    ASSERT_TRUE(refused.ended);
    EXPECT_EQ(refused.ended->cause, event::Cause::ForceReleased);
    EXPECT_EQ(codeOf(run(ForceEnd{granted.lease.term, "again"})), ErrorCode::Conflict);
}

TEST_F(RulesTest, AGiveBackEndsOnlyTheGrantItNamesAndStartsNoDelay)
{
    Acquire acquire = acquireBy(1, 60s);
    acquire.lockDelay = 10s;
    const Granted granted = as<Granted>(run(acquire));
    Receipt other = granted.receipt;
    other.revision = Revision(other.revision.value() + 1);
    run(EndOfLease{event::Cause::Undelivered, other});
    EXPECT_FALSE(written);
    EXPECT_TRUE(isLive(state, now.boot));

    run(EndOfLease{event::Cause::Undelivered, granted.receipt});
    ASSERT_TRUE(written);
    EXPECT_EQ(state.lease->cause, event::Cause::Undelivered);
    EXPECT_TRUE(is<Granted>(run(acquireBy(2, 60s))));
}

TEST_F(RulesTest, AGiveBackAfterARenewalEndsNothing)
{
    const Granted granted = as<Granted>(run(acquireBy(1, 60s)));
    run(Renew{credentialOf(granted.lease), 60s});
    run(EndOfLease{event::Cause::Undelivered, granted.receipt});
    EXPECT_FALSE(written);
    EXPECT_TRUE(isLive(state, now.boot));
}

TEST_F(RulesTest, WallClockStepsChangeNoDecision)
{
    Acquire acquire = acquireBy(1, 60s);
    acquire.lockDelay = 10s;
    const Granted granted = as<Granted>(run(acquire));
    for (const auto step : {-48h, 48h})
    {
        now.wall += step;
        EXPECT_TRUE(isLive(state, now.boot));
        EXPECT_TRUE(is<Held>(run(acquireBy(2, 60s))));
        const Renewed renewed = as<Renewed>(run(Renew{credentialOf(granted.lease), 60s}));
        EXPECT_EQ(renewed.lease.deadline, now.boot + 60s);
        EXPECT_EQ(renewed.lease.expiresAt, now.wall + 60s);
    }
    pass(60s);
    now.wall -= 1h;
    EXPECT_EQ(codeOf(run(Renew{credentialOf(granted.lease), 60s})), ErrorCode::LeaseExpired);
    run(EndOfLease{event::Cause::Ttl, std::nullopt});
    now.wall += 2h;
    EXPECT_EQ(as<Delayed>(run(acquireBy(2, 60s))).availableAt, now.boot + 10s);
    pass(10s);
    now.wall -= 3h;
    EXPECT_TRUE(is<Granted>(run(acquireBy(2, 60s))));
}

} // namespace octostore::coordination::test
