// SPDX-License-Identifier: MIT
/// @file
/// The rules of elections: campaigns, their keys and tokens, resignation, capacity.
#include "RulesFixture.h"

namespace octostore::coordination::test
{

namespace
{
const std::string key = "candidate-key-of-alpha-1";

Digest digestOf(const LeaderToken& token)
{
    return sha256({reinterpret_cast<const char*>(token.data()), token.size()});
}
} // namespace

class RulesElectionTest : public RulesFixture
{
protected:
    RulesElectionTest()
    {
        name = leaseNameOfRoom("room-0001");
        actor = {event::ActorKind::Candidate, "alpha"};
    }

    LeaderToken win(const Campaign& campaign)
    {
        const Granted granted = as<Granted>(run(campaign));
        EXPECT_TRUE(granted.token);
        return granted.token.value_or(LeaderToken{});
    }
};

TEST_F(RulesElectionTest, TheFirstCandidateLeads)
{
    Campaign campaign = campaignBy("alpha", 30s, 1);
    campaign.metadata = "10.0.0.1:80";
    const Granted granted = as<Granted>(run(campaign));
    EXPECT_TRUE(granted.fresh);
    EXPECT_EQ(granted.token, campaign.freshToken);
    EXPECT_EQ(granted.lease.label, "alpha");
    EXPECT_EQ(granted.lease.metadata, "10.0.0.1:80");
    EXPECT_EQ(granted.lease.term, Term(revision.value()));
    EXPECT_EQ(granted.lease.deadline, now.boot + 30s);
    EXPECT_TRUE(granted.lease.lease.isNil());
    ASSERT_TRUE(state.lease);
    EXPECT_EQ(state.lease->kind, backend::LeaseKind::Election);
    EXPECT_EQ(state.lease->secretDigest, digestOf(*granted.token));
    EXPECT_EQ(state.lease->holder, campaign.freshHolder);
    EXPECT_TRUE(state.lease->principal.isNil());
}

TEST_F(RulesElectionTest, WithoutAKeyEveryCampaignIsANewPrincipal)
{
    const Granted granted = as<Granted>(run(campaignBy("alpha", 30s, 1)));
    const Held held = as<Held>(run(campaignBy("alpha", 30s, 2)));
    EXPECT_TRUE(mayWait);
    EXPECT_EQ(held.lease.label, "alpha");
    EXPECT_EQ(held.lease.term, granted.lease.term);
    EXPECT_TRUE(is<Held>(run(campaignBy("alpha", 30s, 3, key))));
}

TEST_F(RulesElectionTest, WithItsKeyTheLeaderGetsTheSameTermAndTokenAgain)
{
    const Granted first = as<Granted>(run(campaignBy("alpha", 30s, 1, key)));
    ASSERT_TRUE(first.token);
    EXPECT_EQ(state.lease->secretDigest, digestOf(*first.token));
    EXPECT_NE(*first.token, bytesOf<32>(1)) << "the token is derived from the key";

    pass(10s);
    const Granted shorter = as<Granted>(run(campaignBy("alpha", 5s, 2, key)));
    EXPECT_FALSE(shorter.fresh);
    EXPECT_EQ(shorter.token, first.token);
    EXPECT_EQ(shorter.lease.term, first.lease.term);
    EXPECT_EQ(shorter.lease.deadline, first.lease.deadline);

    const Granted longer = as<Granted>(run(campaignBy("alpha", 60s, 3, key)));
    EXPECT_EQ(longer.token, first.token);
    EXPECT_EQ(longer.lease.term, first.lease.term);
    EXPECT_EQ(longer.lease.deadline, now.boot + 60s);
    EXPECT_EQ(state.lease->deadline.boot, now.boot + 60s);
    EXPECT_TRUE(is<Renewed>(run(Renew{*first.token, 30s})));
}

TEST_F(RulesElectionTest, AnotherKeyOrAnotherCandidateIsAFollower)
{
    run(campaignBy("alpha", 30s, 1, key));
    EXPECT_TRUE(is<Held>(run(campaignBy("alpha", 30s, 2, "another-key-of-alpha-2"))));
    EXPECT_TRUE(is<Held>(run(campaignBy("beta", 30s, 3, key))));
    EXPECT_TRUE(is<Held>(run(campaignBy("alpha", 30s, 4))));
}

TEST_F(RulesElectionTest, EveryTermHasATokenOfItsOwn)
{
    const LeaderToken first = win(campaignBy("alpha", 30s, 1, key));
    pass(30s);
    const LeaderToken second = win(campaignBy("alpha", 30s, 2, key));
    EXPECT_NE(first, second);
    EXPECT_EQ(codeOf(run(Renew{first, 30s})), ErrorCode::LeaseMismatch);

    name = leaseNameOfRoom("room-0002");
    state = {};
    EXPECT_NE(win(campaignBy("alpha", 30s, 2, key)), second) << "a room of its own, a token too";
}

TEST_F(RulesElectionTest, TheTokenRenewsInEitherDirection)
{
    const LeaderToken token = win(campaignBy("alpha", 30s, 1));
    const Term term = state.lease->term;
    pass(10s);
    EXPECT_EQ(as<Renewed>(run(Renew{token, 300s})).lease.deadline, now.boot + 300s);
    const Renewed shorter = as<Renewed>(run(Renew{token, 5s}));
    EXPECT_EQ(shorter.lease.deadline, now.boot + 5s);
    EXPECT_EQ(shorter.lease.term, term);
    EXPECT_EQ(codeOf(run(Renew{bytesOf<32>(9), 30s})), ErrorCode::LeaseMismatch);
    pass(5s);
    EXPECT_EQ(codeOf(run(Renew{token, 30s})), ErrorCode::LeaseExpired);
}

TEST_F(RulesElectionTest, ALockCredentialIsNoLeaderToken)
{
    const Granted granted = as<Granted>(run(campaignBy("alpha", 30s, 1)));
    const LockCredential forged{granted.lease.holder, LeaseId{}};
    EXPECT_EQ(codeOf(run(Renew{forged, 30s})), ErrorCode::LeaseMismatch);
    EXPECT_EQ(codeOf(run(Release{forged})), ErrorCode::LeaseMismatch);
    EXPECT_TRUE(isLive(state, now.boot));
}

TEST_F(RulesElectionTest, AResignationEndsTheTermAtOnceAndItsRepeatIsTold)
{
    const LeaderToken token = win(campaignBy("alpha", 30s, 1));
    const Term term = state.lease->term;
    EXPECT_EQ(codeOf(run(Resign{bytesOf<32>(9)})), ErrorCode::LeaseMismatch);
    EXPECT_EQ(as<Ended>(run(Resign{token})).term, term);
    EXPECT_EQ(state.lease->state, backend::LeaseState::Vacant);

    const Refused repeat = as<Refused>(run(Resign{token}));
    EXPECT_EQ(repeat.error.code, ErrorCode::LeaseGone);
    ASSERT_TRUE(repeat.ended);
    EXPECT_EQ(repeat.ended->term, term);
    EXPECT_EQ(repeat.ended->cause, event::Cause::Resigned);
    EXPECT_FALSE(as<Refused>(run(Resign{bytesOf<32>(9)})).ended);

    const Granted next = as<Granted>(run(campaignBy("beta", 30s, 2)));
    EXPECT_GT(next.lease.term, term);
    EXPECT_EQ(codeOf(run(Resign{token})), ErrorCode::LeaseMismatch);
}

TEST_F(RulesElectionTest, AnExpiredRoomIsTakenOverAtOnce)
{
    run(campaignBy("alpha", 30s, 1));
    const Term term = state.lease->term;
    pass(30s);
    EXPECT_GT(as<Granted>(run(campaignBy("beta", 30s, 2))).lease.term, term);
    EXPECT_EQ(eventOfWrite().type, event::Type::LeaderChanged);
    EXPECT_EQ(eventOfWrite().facts,
              (std::vector<event::Type>{event::Type::LeaderExpired, event::Type::LeaderElected}));
}

TEST_F(RulesElectionTest, AtCapacityOnlyLedRoomsAnswer)
{
    scope.liveRooms = limits.liveRoomsMax;
    const Refused refused = as<Refused>(run(campaignBy("alpha", 30s, 1)));
    EXPECT_EQ(refused.error.code, ErrorCode::CapacityExceeded);
    EXPECT_EQ(refused.retryAfterSeconds, 30U);
    EXPECT_FALSE(mayWait);

    scope.liveRooms = limits.liveRoomsMax - 1;
    const Granted granted = as<Granted>(run(campaignBy("alpha", 30s, 1, key)));
    scope.liveRooms = limits.liveRoomsMax;
    EXPECT_TRUE(is<Held>(run(campaignBy("beta", 30s, 2))));
    EXPECT_EQ(as<Granted>(run(campaignBy("alpha", 30s, 3, key))).lease.term, granted.lease.term);
    pass(30s);
    EXPECT_EQ(codeOf(run(campaignBy("beta", 30s, 4))), ErrorCode::CapacityExceeded);
}

TEST_F(RulesElectionTest, TheLimitOfLocksIsNotForRooms)
{
    scope.leasesOfPrincipal = limits.leasesPerPrincipalMax;
    EXPECT_TRUE(is<Granted>(run(campaignBy("alpha", 30s, 1))));
}

TEST_F(RulesElectionTest, TheJournalTellsWhoLedAndWhoLeads)
{
    const LeaderToken token = win(campaignBy("alpha", 30s, 1));
    const event::Draft elected = eventOfWrite();
    EXPECT_EQ(elected.type, event::Type::LeaderElected);
    EXPECT_EQ(elected.kind, event::ResourceKind::Election);
    EXPECT_EQ(elected.name, "room-0001");
    EXPECT_FALSE(elected.previous);
    ASSERT_TRUE(elected.current);
    EXPECT_EQ(elected.current->holder, "alpha");
    EXPECT_EQ(elected.current->term, Term(0)) << "the commit knows it";
    EXPECT_EQ(elected.actor, actor);

    const Term term = state.lease->term;
    run(Resign{token});
    const event::Draft resigned = eventOfWrite();
    EXPECT_EQ(resigned.type, event::Type::LeaderResigned);
    EXPECT_EQ(resigned.cause, event::Cause::Resigned);
    ASSERT_TRUE(resigned.previous);
    EXPECT_EQ(resigned.previous->holder, "alpha");
    EXPECT_EQ(resigned.previous->term, term);
    EXPECT_FALSE(resigned.current);

    pass(1500ms);
    run(campaignBy("beta", 30s, 2));
    const event::Draft next = eventOfWrite();
    EXPECT_EQ(next.type, event::Type::LeaderElected);
    ASSERT_TRUE(next.previous);
    EXPECT_EQ(next.previous->holder, "alpha");
    EXPECT_EQ(next.previous->term, term);
    EXPECT_EQ(next.vacantMs, 1500U);
}

TEST_F(RulesElectionTest, ATermThatIsEndedByAnAdministratorWasRemoved)
{
    run(campaignBy("alpha", 30s, 1));
    actor = {event::ActorKind::Admin, "root"};
    run(ForceEnd{state.lease->term, "split brain suspected"});
    EXPECT_EQ(eventOfWrite().type, event::Type::LeaderRemoved);
    EXPECT_EQ(eventOfWrite().cause, event::Cause::ForceReleased);
    EXPECT_EQ(eventOfWrite().reason, "split brain suspected");
    EXPECT_EQ(eventOfWrite().actor, actor);
}

} // namespace octostore::coordination::test
