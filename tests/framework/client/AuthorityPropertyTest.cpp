// SPDX-License-Identifier: MIT
// Goal: whatever the network does, the client never holds at an instant at which the server may
// have given the lease to another. Method: a model of the server grants and extends leases on a
// clock that runs up to 5 % faster than the client's (the server's TTL is over earlier for the
// client); answers are delayed, lost or turned into errors at random. After each step the two are
// compared.
#include "support/FakeRandom.h"
#include "support/TestSeed.h"

#include <octostore/client/Authority.h>

#include <gtest/gtest.h>

namespace octostore::client
{

using namespace std::chrono_literals;

namespace
{

constexpr int runs = 3000;
constexpr int stepsPerRun = 60;

/// What the server knows, in the client's time.
struct ServerLine
{
    BootTime deadline{};

    void extend(BootTime decided, Milliseconds ttl, unsigned fasterPercent)
    {
        deadline = decided + BootClock::duration(ttl) * 100 / (100 + fasterPercent);
    }
};

class Life
{
public:
    explicit Life(std::uint64_t seed)
        : _random(seed),
          _withSession(_random.number(1) == 1),
          _ttl(Milliseconds(5000 + _random.number(60'000))),
          _sessionTtl(Milliseconds(10'000 + _random.number(40'000))),
          _faster(static_cast<unsigned>(_random.number(5))),
          _authority({_ttl, _withSession ? std::optional(_sessionTtl) : std::nullopt,
                      Milliseconds(_random.number(1500))})
    {
    }

    void play()
    {
        if (_withSession)
            exchange(Line::Session, Purpose::Open);
        exchange(Line::Lease, Purpose::Grant);
        for (int step = 0; step < stepsPerRun && !testing::Test::HasFailure(); ++step)
        {
            pass();
            const bool session = _withSession && _random.number(1) == 1;
            if (_random.number(2) != 0)
                exchange(session ? Line::Session : Line::Lease, Purpose::Renew);
            check();
        }
    }

private:
    enum class Purpose
    {
        Open,
        Grant,
        Renew,
    };

    ServerLine& serverLine(Line line) { return line == Line::Lease ? _lease : _session; }
    Milliseconds ttlOf(Line line) const { return line == Line::Lease ? _ttl : _sessionTtl; }

    /// Time passes; sometimes the machine sleeps for long.
    void pass()
    {
        const std::uint64_t most = _random.number(20) == 0 ? 100'000 : 3000;
        _now += Milliseconds(_random.number(most));
    }

    /// One request: sent, decided, answered or not.
    void exchange(Line line, Purpose purpose)
    {
        const BootTime sent = _now;
        const Milliseconds waited(purpose == Purpose::Grant ? _random.number(50'000) : 0);
        _now += Milliseconds(_random.number(500)); // on the way
        const BootTime arrived = _now;
        // The server measures the wait with its own clock.
        const BootTime decided =
            arrived + BootClock::duration(waited) * 100 / (100 + std::min(_faster, 1U));
        _now = decided;
        const bool alive = purpose != Purpose::Renew || serverLine(line).deadline > _now;
        if (alive)
            serverLine(line).extend(decided, ttlOf(line), _faster);
        _now += Milliseconds(_random.number(2000)); // on the way back
        answer(line, purpose, {sent, waited}, alive);
    }

    void answer(Line line, Purpose purpose, const Confirmation& confirmation, bool alive)
    {
        Failure failure;
        failure.code = "timeout";
        if (purpose == Purpose::Open)
            _authority.openSession(confirmation, _now);
        else if (purpose == Purpose::Grant)
            _authority.grant(confirmation, _now);
        else if (_random.number(3) == 0) // lost: acted or not, the client does not know
            _authority.fail(line, failure, _now, 500ms);
        else if (alive)
            _authority.confirm(line, confirmation, _now);
        else
        {
            failure.status = 404;
            failure.code = "lease_not_current";
            _authority.fail(line, failure, _now, 500ms);
        }
    }

    void check()
    {
        _authority.advance(_now);
        if (_ended != AuthorityState::Waiting)
        {
            EXPECT_EQ(_authority.state(), _ended) << "it came back";
        }
        if (_authority.state() != AuthorityState::Holding)
        {
            if (_authority.state() != AuthorityState::Waiting)
                _ended = _authority.state();
            return;
        }
        EXPECT_LT(_now, _authority.endOfUse());
        EXPECT_LE(_authority.endOfUse(), _authority.deadline());
        EXPECT_LE(_authority.deadline(), _lease.deadline);
        if (_withSession)
        {
            EXPECT_LE(_authority.deadline(), _session.deadline);
        }
        EXPECT_LE(_authority.deadline(), _now + Lifeline::authorityOf(_ttl));
    }

    test::FakeRandom _random;
    const bool _withSession;
    const Milliseconds _ttl;
    const Milliseconds _sessionTtl;
    const unsigned _faster;
    Authority _authority;
    BootTime _now{1000s};
    ServerLine _lease;
    ServerLine _session;
    AuthorityState _ended = AuthorityState::Waiting;
};

} // namespace

TEST(AuthorityPropertyTest, AuthorityEndsBeforeTheLeaseWhateverTheNetworkDoes)
{
    const std::uint64_t base = octostore::test::testSeed();
    for (std::uint64_t i = 0; i < runs && !testing::Test::HasFailure(); ++i)
    {
        SCOPED_TRACE("seed " + std::to_string(base + i));
        Life(base + i).play();
    }
}

} // namespace octostore::client
