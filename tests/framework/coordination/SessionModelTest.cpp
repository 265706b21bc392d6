// SPDX-License-Identifier: MIT
/// @file
/// Random sessions, locks, access lists and waiters against the naive rules.
//
// Goal: whatever is asked in whatever order, whatever is in flight, fails or is lost in a restart,
// every transaction and every answer is one that the naive rules allow, and nobody waits in vain.
// Method: three accounts with few names and low limits, who ask for everything there is; a judge
// looks at every decision, commit and answer. OCTOSTORE_MODEL_COMMANDS says how many commands,
// OCTOSTORE_TEST_SEED repeats a run.
#include "JudgedEngine.h"
#include "SessionFixture.h"
#include "support/TestSeed.h"

#include <cstdlib>
#include <deque>

namespace octostore::coordination::test
{
namespace
{

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t commandsUsually = 60'000;
#elif defined(NDEBUG)
constexpr std::uint64_t commandsUsually = 2'000'000;
#else
constexpr std::uint64_t commandsUsually = 60'000;
#endif

std::uint64_t numberFrom(const char* variable, std::uint64_t otherwise)
{
    const char* told = std::getenv(variable);
    return told ? std::strtoull(told, nullptr, 10) : otherwise;
}

Limits lowLimits()
{
    Limits limits;
    limits.leasesPerPrincipalMax = 3;
    limits.sessionsPerPrincipalMax = 3;
    return limits;
}

class RandomSessions
{
public:
    explicit RandomSessions(std::uint64_t seed) : _dice(seed) {}

    void run(std::uint64_t commands)
    {
        for (std::uint64_t i = 0; i < commands && !::testing::Test::HasFailure(); ++i)
        {
            if (i % 400 == 399)
                engine.rest();
            else
                step();
        }
        engine.rest();
    }

private:
    void step()
    {
        while (_dice.chance(45) && engine.commitOne())
        {
        }
        if (_dice.chance(40))
            engine.passTime(_dice.chance(90) ? _dice.between(0, 300) : _dice.between(0, 12'000));
        if (_dice.below(20'000) == 0)
            engine.passTime(std::chrono::hours(25));
        if (_dice.below(3'000) == 0)
            engine.crash();
        else
            ask();
    }

    void ask()
    {
        const std::uint64_t what = _dice.below(100);
        if (what < 12)
            open();
        else if (what < 24)
        {
            const SessionId session = anySession();
            engine.submit("", SessionCommand(KeepAlive{session, ownerOrNot()}));
        }
        else if (what < 30)
        {
            const SessionId session = anySession();
            engine.submit("", SessionCommand(CloseSession{session, ownerOrNot(), false, {}}));
        }
        else if (what < 65)
            acquire();
        else if (what < 87)
            renewOrRelease(what < 76);
        else if (what < 92)
            changeAcl();
        else if (what < 95)
            engine.submit(anyName(), Query(GetStatus{}));
        else if (what < 97)
        {
            const SessionId session = anySession();
            engine.submit("", Query(GetSession{session, ownerOrNot()}));
        }
        else
            engine.abandonSomebody();
    }

    std::string anyName() { return "lock" + std::to_string(_dice.below(6)); }
    std::uint64_t anybody() { return 1 + _dice.below(3); }
    /// One of the last opened, or one that never was.
    SessionId anySession()
    {
        if (_sessions.empty() || _dice.chance(2))
        {
            _owner = anybody();
            return sessionNamed(0);
        }
        const auto& [session, owner] = _sessions[_dice.below(_sessions.size())];
        _owner = owner;
        return sessionNamed(session);
    }
    /// Of the session drawn last.
    PrincipalId ownerOrNot() { return idOf<PrincipalId>(_dice.chance(93) ? _owner : anybody()); }

    void open()
    {
        const std::uint64_t who = anybody();
        _sessions.push_back({++_lastSession, who});
        if (_sessions.size() > 9)
            _sessions.pop_front();
        engine.submit("", SessionCommand(openBy(who, _lastSession, _dice.between(5'000, 40'000))));
    }

    std::vector<std::string> anyAcl()
    {
        std::vector<std::string> names;
        for (const char* one : {"token:user2", "user:user1", "user:user2", "user:user3"})
            if (_dice.chance(60))
                names.push_back(one);
        if (names.empty())
            names.push_back("user:user1");
        return names;
    }

    void acquire()
    {
        std::uint64_t who = anybody();
        SessionId session;
        if (_dice.chance(65))
        {
            session = anySession();
            who = _dice.chance(95) ? _owner : who;
        }
        Acquire acquire = acquireBy(who, _dice.between(500, 40'000));
        acquire.session = session;
        acquire.ephemeral = !session.isNil() && _dice.chance(75);
        if (acquire.ephemeral)
            acquire.holder = HolderId{session.uuid};
        acquire.freshLease = idOf<LeaseId>(++_lastLease);
        acquire.callerNames = {"user:" + labelOf(who), "token:" + labelOf(who)};
        acquire.admin = _dice.chance(5);
        if (_dice.chance(20))
            acquire.lockDelay = _dice.between(0, 5'000);
        if (_dice.chance(10))
            acquire.acl = anyAcl();
        engine.submit(anyName(), Command(acquire),
                      _dice.chance(40) ? _dice.between(0, 60'000) : Milliseconds{0});
    }

    void renewOrRelease(bool renew)
    {
        const std::string name = anyName();
        const backend::LeaseRecord* lease = engine.store().lease(name);
        LockCredential shown{idOf<HolderId>(anybody()),
                             idOf<LeaseId>(1 + _dice.below(_lastLease + 1))};
        if (lease && _dice.chance(95))
            shown = {HolderId{lease->principal.uuid}, lease->lease};
        if (renew)
            engine.submit(name, Command(Renew{shown, _dice.between(500, 40'000)}));
        else
            engine.submit(name, Command(Release{shown}));
    }

    void changeAcl()
    {
        ChangeAcl change;
        change.principal = idOf<PrincipalId>(anybody());
        change.admin = _dice.chance(50);
        if (_dice.chance(60))
            change.acl = anyAcl();
        engine.submit(anyName(), Command(change));
    }

    Dice _dice;
    std::deque<std::pair<std::uint64_t, std::uint64_t>> _sessions; ///< with their owners
    std::uint64_t _owner = 1;
    std::uint64_t _lastSession = 0;
    std::uint64_t _lastLease = 0;

public:
    JudgedEngine engine{lowLimits(), _dice};
};

TEST(SessionModelTest, EveryDecisionAndEveryAnswerIsOneTheNaiveRulesAllow)
{
    const std::uint64_t seed = octostore::test::testSeed();
    const std::uint64_t commands = numberFrom("OCTOSTORE_MODEL_COMMANDS", commandsUsually);
    RandomSessions sessions(seed);
    sessions.run(commands);
    EXPECT_GT(sessions.engine.grants(), commands / 100) << "the run is about nothing";
    EXPECT_GT(sessions.engine.conflicts(), commands / 10'000);
}

} // namespace
} // namespace octostore::coordination::test
