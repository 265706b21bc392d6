// SPDX-License-Identifier: MIT
/// @file
/// Goal: whatever the store does - late, failing, forgotten in a crash - the engine keeps its
/// promises: an answer tells what is committed, nobody is overtaken, no lease ends early, everybody
/// is answered once. Method: random commands while commits are answered in random order, late or
/// not at all; every answer is held against the store and against who was waiting. The store itself
/// checks the history of grants. OCTOSTORE_TEST_SEED repeats a run.
#include "EngineHarness.h"
#include "RandomCommands.h"
#include "support/TestSeed.h"

#include <algorithm>

namespace octostore::coordination::test
{

namespace
{

#ifdef NDEBUG
constexpr std::size_t stepsPerRun = 20'000;
#else
constexpr std::size_t stepsPerRun = 5'000;
#endif

std::string identityOf(const Command& command)
{
    if (const auto* acquire = std::get_if<Acquire>(&command))
        return acquire->holder.toString();
    const auto* campaign = std::get_if<Campaign>(&command);
    if (!campaign || campaign->candidateKey.empty())
        return {};
    return campaign->candidate + " " + campaign->candidateKey;
}

} // namespace

class EngineFaultModelTest : public ::testing::TestWithParam<int>
{
protected:
    struct Asked
    {
        std::string name;
        Command command;
        std::string identity;
        std::uint64_t order = 0;
        std::uint64_t place = 0; ///< the order of the first request whose place it may have
        BootTime until;          ///< end of the wait; arrival without one
        Milliseconds wait{0};
    };

    void pass(BootClock::duration time);
    void submit();
    /// Whether the same holder still waits for the same name: a wait that is over is answered late
    /// while its name is busy, and its place is there until then.
    bool isWaiting(const Asked& asked) const;
    void abandon();
    void restart();
    void read();
    void settleSome();
    void commitNext();
    void checkReplies();
    void checkAuthority(const Asked& asked, const LeaseView& lease);
    void checkOrder(const Asked& asked);
    void checkRefusal(const Asked& asked, const Refused& refused);
    void checkLimit();

    const Limits limits = smallLimits();
    EngineHarness harness{limits};
    const std::uint64_t seed = octostore::test::testSeed() + static_cast<std::uint64_t>(GetParam());
    RandomCommands random{seed};
    std::map<Ticket, Asked> open;
    struct Place
    {
        std::uint64_t order = 0;
        BootTime keptUntil;
    };
    std::map<std::pair<std::string, std::string>, Place> places; ///< by name and identity
    BootTime lastFailure = BootTime::min();
    std::uint64_t submitted = 0;
    bool storeWorks = false; ///< from now on whatever is asked of it is committed at once
};

/// Stops at every deadline, so that answers are checked at the instant at which they are given.
void EngineFaultModelTest::pass(BootClock::duration time)
{
    const BootTime target = harness.now.boot + time;
    for (;;)
    {
        const BootTime next = harness.engine().nextDeadline().value_or(BootTime::max());
        harness.step(std::min(std::max(next, harness.now.boot), target) - harness.now.boot);
        harness.advance();
        checkReplies();
        while (storeWorks && !harness.pending.empty())
            commitNext();
        if (next > target || HasFailure())
            return;
    }
}

void EngineFaultModelTest::submit()
{
    Asked asked;
    asked.name = random.name();
    asked.command = random.command(asked.name);
    asked.identity = identityOf(asked.command);
    asked.order = ++submitted;
    if (std::holds_alternative<Acquire>(asked.command) ||
        std::holds_alternative<Campaign>(asked.command))
        asked.wait = random.wait();
    asked.until = harness.now.boot + asked.wait;
    asked.place = asked.order;
    if (asked.wait.count() > 0 && !asked.identity.empty())
    {
        // Whoever comes back may have kept its place; that it has is the other model's to check.
        Place& place = places[{asked.name, asked.identity}];
        if (place.order == 0 || (place.keptUntil < harness.now.boot && !isWaiting(asked)))
            place.order = asked.order;
        place.keptUntil = std::max(place.keptUntil, asked.until + 6s);
        asked.place = place.order;
    }
    const Asked copy = asked;
    const Ticket ticket = harness.submit(copy.name, copy.command, copy.wait);
    open.emplace(ticket, std::move(asked));
    checkReplies();
}

bool EngineFaultModelTest::isWaiting(const Asked& asked) const
{
    return std::any_of(open.begin(), open.end(),
                       [&asked](const auto& entry)
                       {
                           const Asked& other = entry.second;
                           return other.name == asked.name && other.identity == asked.identity &&
                                  other.wait.count() > 0;
                       });
}

void EngineFaultModelTest::abandon()
{
    if (open.empty())
        return;
    const auto gone =
        std::next(open.begin(), static_cast<std::ptrdiff_t>(random.below(open.size())));
    const Ticket ticket = gone->first;
    const auto place = places.find({gone->second.name, gone->second.identity});
    if (place != places.end())
        place->second.keptUntil = std::max(place->second.keptUntil, harness.now.boot + 6s);
    open.erase(gone);
    harness.abandon(ticket);
    checkReplies();
}

void EngineFaultModelTest::restart()
{
    while (!harness.pending.empty() && random.oneIn(2))
        harness.commitUnheard(random.below(harness.pending.size()));
    harness.restart();
    open.clear();
    places.clear();
    checkReplies();
}

/// One at a time: what an answer tells is held against the store before the store moves on.
void EngineFaultModelTest::commitNext()
{
    harness.commit();
    checkReplies();
}

void EngineFaultModelTest::settleSome()
{
    for (std::uint64_t some = random.below(4); some > 0 && !harness.pending.empty(); --some)
    {
        const std::size_t index = random.below(harness.pending.size());
        if (random.oneIn(8))
        {
            lastFailure = harness.now.boot;
            harness.fail(ErrorCode::Unavailable, index);
        }
        else
            harness.commit(index);
        checkReplies();
        checkLimit();
    }
}

void EngineFaultModelTest::checkAuthority(const Asked& asked, const LeaseView& lease)
{
    const backend::LeaseRecord* stored = harness.store().lease(asked.name);
    ASSERT_TRUE(stored);
    EXPECT_EQ(stored->state, backend::LeaseState::Held);
    EXPECT_EQ(stored->term, lease.term);
    EXPECT_EQ(stored->deadline.boot, lease.deadline) << "what is acknowledged is what is stored";
    EXPECT_GT(lease.deadline, harness.now.boot);
}

void EngineFaultModelTest::checkOrder(const Asked& asked)
{
    for (const auto& [ticket, other] : open)
        EXPECT_FALSE(other.name == asked.name && other.wait.count() > 0 &&
                     other.until > harness.now.boot && other.order < asked.place &&
                     (other.identity.empty() || other.identity != asked.identity))
            << "G6: " << asked.order << " overtook " << other.order << " on " << asked.name;
}

void EngineFaultModelTest::checkRefusal(const Asked& asked, const Refused& refused)
{
    const backend::LeaseRecord* stored = harness.store().lease(asked.name);
    const bool asks = asked.identity.size() > 0 || std::holds_alternative<Campaign>(asked.command);
    switch (refused.error.code)
    {
    case ErrorCode::Unavailable:
        EXPECT_GE(lastFailure + 30s, harness.now.boot) << "nothing failed";
        break;
    case ErrorCode::OutcomeUnknown:
        ASSERT_TRUE(stored);
        EXPECT_LE(stored->deadline.boot, harness.now.boot);
        break;
    case ErrorCode::LockLimitExceeded:
    case ErrorCode::CapacityExceeded:
        EXPECT_TRUE(asks);
        break;
    case ErrorCode::LeaseMismatch:
    case ErrorCode::LeaseGone:
    case ErrorCode::LeaseExpired:
    case ErrorCode::Conflict:
        EXPECT_FALSE(asks);
        break;
    default:
        ADD_FAILURE() << "refused: " << refused.error.message;
    }
}

void EngineFaultModelTest::checkReplies()
{
    std::vector<std::pair<Asked, Reply>> told;
    for (auto& [ticket, reply] : harness.takeReplies())
    {
        const auto asked = open.find(ticket);
        if (asked == open.end())
            continue; // the reads of this test
        // A wait that ends while its name is busy is answered late, and its place kept from then.
        const auto place = places.find({asked->second.name, asked->second.identity});
        if (place != places.end())
            place->second.keptUntil = std::max(place->second.keptUntil, harness.now.boot + 6s);
        told.emplace_back(asked->second, std::move(reply));
        open.erase(asked);
    }
    for (const auto& [asked, reply] : told)
    {
        const backend::LeaseRecord* stored = harness.store().lease(asked.name);
        random.learn(asked.name, reply);
        if (const auto* granted = std::get_if<Granted>(&reply))
        {
            checkAuthority(asked, granted->lease);
            if (granted->fresh)
                checkOrder(asked);
        }
        else if (const auto* renewed = std::get_if<Renewed>(&reply))
            checkAuthority(asked, renewed->lease);
        else if (const auto* held = std::get_if<Held>(&reply))
            EXPECT_TRUE(stored && stored->term == held->lease.term &&
                        stored->deadline.boot > harness.now.boot);
        else if (const auto* delayed = std::get_if<Delayed>(&reply))
            EXPECT_GT(delayed->availableAt, harness.now.boot);
        else if (const auto* ended = std::get_if<Ended>(&reply))
            EXPECT_FALSE(stored && stored->state == backend::LeaseState::Held &&
                         stored->term == ended->term);
        else
            checkRefusal(asked, as<Refused>(reply));
    }
}

void EngineFaultModelTest::checkLimit()
{
    std::map<PrincipalId, std::size_t> live;
    for (const auto& [key, record] : harness.store().records())
        if (const auto* lease = std::get_if<backend::LeaseRecord>(&record.value);
            lease && lease->state == backend::LeaseState::Held &&
            lease->deadline.boot > harness.now.boot)
            ++live[lease->principal]; // nil: the rooms
    for (const auto& [principal, count] : live)
        EXPECT_LE(count, 2U);
}

void EngineFaultModelTest::read()
{
    const std::string name = random.name();
    const Status status = harness.status(name);
    const backend::LeaseRecord* stored = harness.store().lease(name);
    const bool live = stored && stored->state == backend::LeaseState::Held &&
                      stored->deadline.boot > harness.now.boot;
    EXPECT_EQ(status.lease.has_value(), live) << name;
    EXPECT_EQ(status.lastTerm, stored ? stored->term : Term(0)) << name;
    EXPECT_TRUE(!status.lease || status.lease->deadline == stored->deadline.boot) << name;
    checkReplies();
}

TEST_P(EngineFaultModelTest, PromisesHoldWhateverTheStoreDoes)
{
    harness.immediate = false;
    std::size_t step = 0;
    for (; step < stepsPerRun && !HasFailure(); ++step)
    {
        if (random.oneIn(2))
            pass(random.pause());
        else
            harness.step(random.pause() / 8); // the engine hears of it late
        submit();
        settleSome();
        if (random.oneIn(10))
            abandon();
        if (random.oneIn(4))
            read();
        if (random.oneIn(3'000))
            restart();
        if (step % 1000 == 0)
            harness.forget();
    }
    ASSERT_FALSE(HasFailure()) << "seed " << seed - static_cast<std::uint64_t>(GetParam())
                               << ", step " << step;

    // Once the store works everything ends, and everybody has been answered.
    storeWorks = true;
    while (!harness.pending.empty())
        commitNext();
    pass(10min);
    EXPECT_TRUE(open.empty()) << open.size() << " without an answer";
    for (const auto& [key, record] : harness.store().records())
    {
        const auto* lease = std::get_if<backend::LeaseRecord>(&record.value);
        EXPECT_TRUE(!lease || lease->state != backend::LeaseState::Held) << key.name;
    }
    const Counts counts = harness.ask<Counts>("", GetCounts{});
    EXPECT_EQ(counts.locks + counts.rooms + counts.lockQueues.waiters + counts.roomQueues.waiters,
              0U);
}

INSTANTIATE_TEST_SUITE_P(Runs, EngineFaultModelTest, ::testing::Range(0, 6));

} // namespace octostore::coordination::test
