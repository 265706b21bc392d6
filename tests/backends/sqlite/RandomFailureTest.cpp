// SPDX-License-Identifier: MIT
/// Goal: whatever step of a batch fails, outcomes, state and journal agree, then and after a
/// restart. Method: random batches on a few names, each with a random failure; a std::map takes
/// what was reported as committed. The seed is printed; OCTOSTORE_TEST_SEED repeats it.
#include "SqliteFixture.h"
#include "support/TestSeed.h"

#include <sqlite3.h>

#include <random>
#include <set>
#include <variant>

namespace octostore::test
{

class RandomFailureTest : public SqliteFixture
{
protected:
    struct Step
    {
        backend::Key key;
        std::optional<std::string> text; // nothing: erase
        std::optional<Revision> expected;
    };

    int upTo(int most) { return std::uniform_int_distribution<int>(0, most)(_random); }
    void seed();
    /// On a key of its own in the batch, so that the model need not know the order of commits.
    backend::Transaction next(std::vector<Step>& steps, int number);
    void planFailure();
    void check(const Step& step, const backend::Outcome& outcome);
    void compareEverything();

    std::mt19937 _random;
    std::map<backend::Key, backend::Record> _model;
    std::set<Sequence> _journal;
    Revision _last;
    std::size_t _committed = 0;
    std::size_t _refused = 0;
};

void RandomFailureTest::seed()
{
    const auto seed = static_cast<unsigned>(test::testSeed());
    _random.seed(seed);
}

backend::Transaction RandomFailureTest::next(std::vector<Step>& steps, int number)
{
    Step step{metaKey("name" + std::to_string(number)), std::nullopt, std::nullopt};
    if (upTo(3) != 0)
        step.text = "text" + std::to_string(upTo(1000));
    const auto known = _model.find(step.key);
    if (known != _model.end())
        step.expected = known->second.version;
    Draft draft;
    // Fails with a conflict when an earlier outcome was reported wrongly.
    draft.when(step.expected ? atVersion(step.key, *step.expected) : absent(step.key));
    if (step.text)
        draft.put(step.key, metaValue(*step.text));
    else
        draft.erase(step.key);
    draft.event(sampleEvent(step.key.name));
    steps.push_back(std::move(step));
    return draft;
}

void RandomFailureTest::planFailure()
{
    failures.clear();
    switch (upTo(6))
    {
    case 0:
        return failures.fail("begin", SQLITE_BUSY);
    case 1:
        return failures.at("write", [left = upTo(5)](sqlite3*) mutable
                           { return left-- == 0 ? SQLITE_IOERR_WRITE : SQLITE_OK; });
    case 2:
        return failures.fail("commit-before", SQLITE_FULL);
    case 3:
        failures.fail("settle", SQLITE_IOERR_READ, upTo(2));
        return failures.fail("commit-before", SQLITE_IOERR_WRITE);
    case 4:
        failures.fail("settle", SQLITE_IOERR_READ, upTo(2));
        return failures.fail("commit-after", SQLITE_IOERR_FSYNC);
    default:
        return;
    }
}

void RandomFailureTest::check(const Step& step, const backend::Outcome& outcome)
{
    if (const auto* failed = std::get_if<backend::Failed>(&outcome.result))
    {
        EXPECT_EQ(failed->error.code, ErrorCode::Unavailable);
        ++_refused;
        return;
    }
    const auto* committed = std::get_if<backend::Committed>(&outcome.result);
    ASSERT_NE(committed, nullptr) << "a conflict: an earlier outcome was wrong";
    EXPECT_GT(committed->revision, _last);
    _last = committed->revision;
    _journal.insert(Sequence(committed->revision.value()));
    ++_committed;
    if (step.text)
        _model[step.key] = {step.key, metaValue(*step.text), committed->revision};
    else
        _model.erase(step.key);
}

void RandomFailureTest::compareEverything()
{
    failures.clear();
    start();
    EXPECT_EQ(loaded, _model);
    std::set<Sequence> journal;
    const auto events = server->events(Sequence{}, 1'000'000);
    ASSERT_TRUE(events.ok()) << events.error().message;
    for (const event::Event& event : *events)
        journal.insert(event.sequence);
    EXPECT_EQ(journal, _journal);
}

TEST_F(RandomFailureTest, OutcomesStateAndJournalAgreeWhateverFails)
{
    seed();
    start();
    for (int round = 0; round < 300 && !HasFailure(); ++round)
    {
        planFailure();
        std::vector<Step> steps;
        std::vector<backend::Transaction> batch;
        for (int i = 0; i < 6; ++i)
            batch.push_back(next(steps, i));
        server->commit(std::move(batch));
        const auto outcomes = listener->takeOutcomes(steps.size());
        ASSERT_EQ(outcomes.size(), steps.size());
        for (std::size_t i = 0; i < steps.size() && !HasFailure(); ++i)
            check(steps[i], outcomes[i]);
        if (round % 50 == 49)
            compareEverything();
    }
    EXPECT_GT(_committed, 100U);
    EXPECT_GT(_refused, 100U);
}

} // namespace octostore::test
