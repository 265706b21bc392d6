// SPDX-License-Identifier: MIT
/// @file
/// The rules of sessions, and of leases that depend on one.
#include "coordination/SessionRules.h"

#include "RulesFixture.h"
#include "SessionFixture.h"

namespace octostore::coordination::test
{

using backend::Condition;
using event::Cause;
using event::Type;

class SessionRulesTest : public RulesFixture
{
protected:
    SessionDecision decided(const SessionCommand& command)
    {
        return decideSession({actor, request}, known(), open, limits, command, now);
    }

    /// The answer to what changes nothing.
    Reply told(const SessionCommand& command)
    {
        SessionDecision decision = decided(command);
        if (auto* answer = std::get_if<Answer>(&decision))
            return answer->reply;
        ADD_FAILURE() << "something to write";
        return Reply{};
    }

    /// Decides and commits a change.
    SessionWrite changed(const SessionCommand& command)
    {
        SessionDecision decision = decided(command);
        if (!std::holds_alternative<SessionWrite>(decision))
        {
            ADD_FAILURE() << "nothing to write";
            return {};
        }
        SessionWrite write = std::get<SessionWrite>(std::move(decision));
        revision = Revision(revision.value() + 10);
        session.id = sessionNamed(1);
        session.record = write.after;
        session.version = revision;
        session.ended = write.ended;
        return write;
    }
    const SessionState* known() const { return session.id.isNil() ? nullptr : &session; }

    Acquire acquireHere(std::uint64_t who, Milliseconds ttl)
    {
        Acquire acquire = acquireBy(who, ttl);
        acquire.session = session.id;
        acquire.holder = HolderId{session.id.uuid};
        acquire.ephemeral = true;
        scope.session = known();
        return acquire;
    }
    /// A session of `sessionTtl` with this name in it.
    Granted holdIn(Milliseconds sessionTtl, Milliseconds ttl, Milliseconds delay = 0ms)
    {
        changed(openBy(1, 1, sessionTtl));
        Acquire acquire = acquireHere(1, ttl);
        acquire.lockDelay = delay;
        return as<Granted>(run(acquire));
    }
    static std::vector<Condition> conditionsOn(const backend::Transaction& transaction,
                                               backend::Collection collection)
    {
        std::vector<Condition> found;
        for (const Condition& condition : transaction.conditions)
            if (condition.key.collection == collection)
                found.push_back(condition);
        return found;
    }

    std::size_t open = 0;
    SessionState session;
};

TEST_F(SessionRulesTest, AnOpenedSessionLivesForItsTtlAndIsToldOf)
{
    const SessionWrite write = changed(openBy(1, 1, 30s));
    const SessionView view = as<SessionView>(write.reply);
    EXPECT_EQ(view.session, sessionNamed(1));
    EXPECT_EQ(view.principal, idOf<PrincipalId>(1));
    EXPECT_EQ(view.deadline, now.boot + 30s);
    EXPECT_EQ(view.expiresAt, now.wall + 30s);
    EXPECT_TRUE(view.live);
    ASSERT_EQ(write.transaction.conditions.size(), 1U);
    EXPECT_EQ(write.transaction.conditions[0].kind, Condition::Kind::Absent);
    ASSERT_EQ(write.transaction.puts.size(), 1U);
    ASSERT_TRUE(write.transaction.event);
    EXPECT_EQ(write.transaction.event->type, Type::SessionCreated);
    EXPECT_EQ(write.transaction.event->name, sessionNamed(1).toString());
    EXPECT_EQ(write.transaction.event->actor, actor);
    EXPECT_TRUE(session.liveAt(now.boot + 30s - 1ns));
    EXPECT_FALSE(session.liveAt(now.boot + 30s));
}

TEST_F(SessionRulesTest, OneSessionMoreThanAllowedIsRefused)
{
    limits.sessionsPerPrincipalMax = 2;
    open = 1;
    changed(openBy(1, 1, 30s));
    open = 2;
    const Reply refused = told(openBy(1, 1, 30s));
    EXPECT_EQ(codeOf(refused), ErrorCode::CapacityExceeded);
    EXPECT_EQ(std::get<Refused>(refused).retryAfterSeconds, 30U);
}

TEST_F(SessionRulesTest, AKeepaliveStartsTheTtlAgainAndIsNoEvent)
{
    changed(openBy(1, 1, 30s));
    const Revision before = session.version;
    pass(20s);
    const SessionWrite write = changed(KeepAlive{session.id, idOf<PrincipalId>(1)});
    EXPECT_EQ(as<SessionView>(write.reply).deadline, now.boot + 30s);
    EXPECT_FALSE(write.transaction.event);
    ASSERT_EQ(write.transaction.conditions.size(), 1U);
    EXPECT_EQ(write.transaction.conditions[0].kind, Condition::Kind::AtVersion);
    EXPECT_EQ(write.transaction.conditions[0].version, before);
    EXPECT_EQ(session.record.ttl, 30s) << "the ttl is the one it was opened with";
}

TEST_F(SessionRulesTest, NobodyElseSeesASession)
{
    changed(openBy(1, 1, 30s));
    const PrincipalId stranger = idOf<PrincipalId>(2);
    EXPECT_EQ(codeOf(told(KeepAlive{session.id, stranger})), ErrorCode::NotFound);
    EXPECT_EQ(codeOf(told(CloseSession{session.id, stranger, false, {}})), ErrorCode::NotFound);
    EXPECT_EQ(sessionRefusal(&session, stranger, now.boot)->code, ErrorCode::NotFound);
    EXPECT_EQ(sessionRefusal(nullptr, stranger, now.boot)->code, ErrorCode::NotFound);
    EXPECT_FALSE(sessionRefusal(&session, idOf<PrincipalId>(1), now.boot));
}

TEST_F(SessionRulesTest, ASessionIsOverAtItsDeadlineWhetherThatIsRecordedOrNot)
{
    changed(openBy(1, 1, 30s));
    pass(30s - 1ns);
    EXPECT_EQ(codeOf(told(EndOfSession{session.id})), ErrorCode::Conflict);
    pass(1ns);
    const PrincipalId owner = idOf<PrincipalId>(1);
    EXPECT_EQ(codeOf(told(KeepAlive{session.id, owner})), ErrorCode::SessionExpired);
    pass(5s);
    const SessionWrite write = changed(EndOfSession{session.id});
    ASSERT_TRUE(write.ended);
    EXPECT_EQ(write.ended->cause, Cause::SessionExpired);
    EXPECT_EQ(write.ended->at.boot, now.boot - 5s) << "at its deadline, however late";
    EXPECT_EQ(write.transaction.event->type, Type::SessionExpired);
    EXPECT_EQ(write.transaction.event->time, now.wall - 5s);
    EXPECT_EQ(write.transaction.erasures.size(), 1U);
    EXPECT_EQ(codeOf(told(KeepAlive{session.id, owner})), ErrorCode::SessionExpired);
    EXPECT_EQ(codeOf(told(EndOfSession{session.id})), ErrorCode::Conflict) << "only once";
}

TEST_F(SessionRulesTest, ClosingIsAnEventAndClosingAgainIsNone)
{
    changed(openBy(1, 1, 30s));
    const CloseSession close{session.id, idOf<PrincipalId>(1), false, {}};
    const SessionWrite write = changed(close);
    EXPECT_TRUE(is<SessionEnded>(write.reply));
    EXPECT_EQ(write.ended->cause, Cause::SessionClosed);
    EXPECT_EQ(write.transaction.event->type, Type::SessionClosed);
    EXPECT_EQ(write.transaction.event->cause, Cause::SessionClosed);
    EXPECT_TRUE(is<SessionEnded>(told(close)));
    EXPECT_EQ(codeOf(told(KeepAlive{session.id, idOf<PrincipalId>(1)})), ErrorCode::NotFound);
}

TEST_F(SessionRulesTest, ClosingWhatHasRunOutRecordsThatItRanOut)
{
    changed(openBy(1, 1, 30s));
    pass(31s);
    const SessionWrite write = changed(CloseSession{session.id, idOf<PrincipalId>(1), false, {}});
    EXPECT_TRUE(is<SessionEnded>(write.reply));
    EXPECT_EQ(write.ended->cause, Cause::SessionExpired);
    EXPECT_EQ(write.ended->at.boot, now.boot - 1s);
}

TEST_F(SessionRulesTest, AnAdministratorEndsAnybodysSessionAndSaysWhy)
{
    changed(openBy(1, 1, 30s));
    const SessionWrite write = changed(CloseSession{session.id, PrincipalId{}, true, "left over"});
    EXPECT_EQ(write.ended->cause, Cause::ForceReleased);
    EXPECT_EQ(write.transaction.event->type, Type::SessionClosed);
    EXPECT_EQ(write.transaction.event->reason, "left over");
}

TEST_F(SessionRulesTest, AnEphemeralLeaseIsLiveWhileBothDeadlinesLieAhead)
{
    holdIn(30s, 60s);
    EXPECT_TRUE(isLive(state, now.boot + 30s - 1ns));
    EXPECT_FALSE(isLive(state, now.boot + 30s));
    session.record.deadline.boot = now.boot + 90s; // kept alive
    EXPECT_TRUE(isLive(state, now.boot + 60s - 1ns));
    EXPECT_FALSE(isLive(state, now.boot + 60s));
    session.ended = SessionEnd{now, Cause::SessionClosed};
    EXPECT_FALSE(isLive(state, now.boot));
}

TEST_F(SessionRulesTest, AuthorityEndsWithTheEarlierDeadline)
{
    EXPECT_EQ(holdIn(30s, 60s).lease.authority, now.boot + 30s);
    EXPECT_EQ(viewOf(state).deadline, now.boot + 60s);
    session.record.deadline.boot = now.boot + 90s;
    EXPECT_EQ(viewOf(state).authority, now.boot + 60s);
}

TEST_F(SessionRulesTest, TheEarlierEndCounts)
{
    holdIn(30s, 60s);
    EXPECT_EQ(endOf(state).cause, Cause::SessionExpired);
    EXPECT_EQ(endOf(state).at.boot, now.boot + 30s);
    session.ended = SessionEnd{{now.boot + 10s, now.wall + 10s}, Cause::SessionClosed};
    EXPECT_EQ(endOf(state).cause, Cause::SessionClosed);
    EXPECT_EQ(endOf(state).at.boot, now.boot + 10s);
    session.ended = SessionEnd{{now.boot + 70s, now.wall + 70s}, Cause::SessionClosed};
    EXPECT_EQ(endOf(state).cause, Cause::Ttl) << "the lease was over before";
}

TEST_F(SessionRulesTest, TheLockDelayCountsFromTheEndOfTheSession)
{
    holdIn(30s, 60s, 10s);
    pass(30s);
    session.ended = SessionEnd{now, Cause::SessionExpired};
    EXPECT_EQ(coolingUntil(state, now.boot), now.boot + 10s);
    pass(4s);
    const backend::LeaseRecord ended = *writeOf(state, EndOfLease{}).after.lease;
    EXPECT_EQ(ended.state, backend::LeaseState::Cooling);
    EXPECT_EQ(ended.deadline.boot, now.boot + 6s);
    EXPECT_EQ(ended.endedAt, now.wall - 4s);
}

TEST_F(SessionRulesTest, AGrantHoldsOnlyForTheSessionAndTheAccessListItWasDecidedOn)
{
    holdIn(30s, 60s);
    ASSERT_TRUE(written);
    const auto sessions = conditionsOn(*written, backend::Collection::Session);
    ASSERT_EQ(sessions.size(), 1U);
    EXPECT_EQ(sessions[0].kind, Condition::Kind::Present);
    EXPECT_EQ(sessions[0].key.name, session.id.toString());
    const auto lists = conditionsOn(*written, backend::Collection::Acl);
    ASSERT_EQ(lists.size(), 1U);
    EXPECT_EQ(lists[0].kind, Condition::Kind::Absent);
}

TEST_F(SessionRulesTest, EveryWriteAboutAnEphemeralLeaseHoldsOnlyWhileItsSessionIsThere)
{
    const Granted granted = holdIn(30s, 60s);
    const LockCredential own{HolderId{idOf<PrincipalId>(1).uuid}, granted.lease.lease};
    ChangeAcl change{idOf<PrincipalId>(1), false, std::vector<std::string>{"user:user1"}, {}};
    for (const Command& command :
         {Command(Renew{own, 30s}), Command(Release{own}), Command(change)})
    {
        const Write write = writeOf(state, command);
        const auto sessions = conditionsOn(write.transaction, backend::Collection::Session);
        ASSERT_EQ(sessions.size(), 1U);
        EXPECT_EQ(sessions[0].kind, Condition::Kind::Present);
    }
    session.ended = SessionEnd{now, Cause::SessionClosed};
    const auto gone =
        conditionsOn(writeOf(state, EndOfLease{}).transaction, backend::Collection::Session);
    ASSERT_EQ(gone.size(), 1U);
    EXPECT_EQ(gone[0].kind, Condition::Kind::Absent) << "and the end only when it is gone";
}

TEST_F(SessionRulesTest, TheCauseOfALocksEndIsThatOfItsSession)
{
    const std::vector<std::pair<Cause, Type>> ends = {
        {Cause::SessionClosed, Type::LockReleased},
        {Cause::SessionExpired, Type::LockExpired},
        {Cause::ForceReleased, Type::LockForceReleased},
    };
    for (const auto& [cause, type] : ends)
    {
        state = {};
        session = {};
        holdIn(30s, 60s);
        session.ended = SessionEnd{now, cause};
        const Write write = writeOf(state, EndOfLease{});
        EXPECT_EQ(write.transaction.event->cause, cause);
        EXPECT_EQ(write.transaction.event->type, type);
    }
}

TEST_F(SessionRulesTest, TheLockOfAnotherAccountsSessionIsNotEvenThere)
{
    const Granted granted = holdIn(30s, 60s);
    const LockCredential foreign{idOf<HolderId>(2), granted.lease.lease};
    EXPECT_EQ(codeOf(run(Renew{foreign, 30s})), ErrorCode::NotFound);
    EXPECT_EQ(codeOf(run(Release{foreign})), ErrorCode::NotFound);
    const LockCredential wrong{idOf<HolderId>(1), idOf<LeaseId>(9)};
    EXPECT_EQ(codeOf(run(Renew{wrong, 30s})), ErrorCode::LeaseMismatch);
}

TEST_F(SessionRulesTest, TwoSessionsOfOneAccountContendAndTheAccountWithBoth)
{
    holdIn(30s, 60s);
    EXPECT_TRUE(is<Held>(run(acquireBy(1, 60s))));
    SessionState other;
    other.id = sessionNamed(2);
    other.record = session.record;
    Acquire acquire = acquireHere(1, 60s);
    acquire.session = other.id;
    acquire.holder = HolderId{other.id.uuid};
    scope.session = &other;
    EXPECT_TRUE(is<Held>(run(acquire)));
    const Granted again = as<Granted>(run(acquireHere(1, 70s)));
    EXPECT_FALSE(again.fresh) << "the session itself gets the same lease";
}

TEST_F(SessionRulesTest, AnOrdinaryLockTaggedWithASessionLivesByItsOwnTtl)
{
    changed(openBy(1, 1, 30s));
    Acquire acquire = acquireBy(1, 60s);
    acquire.session = session.id;
    scope.session = &session;
    const Granted granted = as<Granted>(run(acquire));
    EXPECT_EQ(granted.lease.authority, now.boot + 60s);
    session.ended = SessionEnd{now, Cause::SessionClosed};
    EXPECT_TRUE(isLive(state, now.boot + 59s));
    EXPECT_TRUE(is<Renewed>(run(Renew{credentialOf(granted.lease), 60s})));
}

} // namespace octostore::coordination::test
