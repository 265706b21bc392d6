// SPDX-License-Identifier: MIT
/// Goal: nobody is ever told that something failed which later appears, or the other way round.
/// Method: each step of a commit is made to fail, before or behind the real call; then the
/// outcomes, the state and the state after a restart are compared.
#include "SqliteFixture.h"

#include <sqlite3.h>

#include <future>
#include <variant>

namespace octostore::test
{

class CommitFailureTest : public SqliteFixture
{
protected:
    void SetUp() override
    {
        start();
        _first = mustCommit(Draft().put(metaKey("a"), metaValue("before")));
    }

    /// One that changes, erases and adds.
    static backend::Transaction change()
    {
        return Draft()
            .when(present(metaKey("a")))
            .when(absent(leaseKey("new")))
            .put(leaseKey("new"), sampleLease(1))
            .erase(metaKey("a"))
            .event(sampleEvent("x"));
    }

    void expectNothingOfIt()
    {
        EXPECT_EQ(server->events(Sequence{}, 10)->size(), 0U);
        const Revision revision = mustCommit(Draft()
                                                 .when(atVersion(metaKey("a"), _first))
                                                 .when(absent(leaseKey("new")))
                                                 .put(metaKey("b"), metaValue("later")));
        // The revision the failed one had is not given to another.
        EXPECT_GT(revision.value(), _first.value() + 1);
        start();
        EXPECT_EQ(loaded.size(), 2U);
        EXPECT_EQ(loaded[metaKey("a")].version, _first);
        mustCommit(change());
    }

    void expectAllOfIt(Revision revision)
    {
        EXPECT_EQ(server->events(Sequence{}, 10)->size(), 1U);
        start();
        EXPECT_EQ(loaded.size(), 1U);
        EXPECT_EQ(loaded[leaseKey("new")].version, revision);
        mustCommit(Draft()
                       .when(atVersion(leaseKey("new"), revision))
                       .when(absent(metaKey("a")))
                       .put(metaKey("b"), metaValue("later")));
    }

    Revision _first;
};

TEST_F(CommitFailureTest, AnErrorOfBeginChangesNothing)
{
    failures.fail("begin", SQLITE_BUSY);
    EXPECT_EQ(mustFail(change()), ErrorCode::Unavailable);
    mustCommit(Draft().put(metaKey("b"), metaValue("later")));
    mustCommit(change());
}

TEST_F(CommitFailureTest, AnErrorOfAWriteChangesNothing)
{
    failures.fail("write", SQLITE_IOERR_WRITE);
    EXPECT_EQ(mustFail(change()), ErrorCode::Unavailable);
    expectNothingOfIt();
}

TEST_F(CommitFailureTest, AFullDiskAtCommitChangesNothing)
{
    failures.fail("commit-before", SQLITE_FULL);
    EXPECT_EQ(mustFail(change()), ErrorCode::Unavailable);
    expectNothingOfIt();
}

TEST_F(CommitFailureTest, AFailedCommitThatNeverReachedTheLogIsUnavailable)
{
    failures.fail("commit-before", SQLITE_IOERR_WRITE);
    EXPECT_EQ(mustFail(change()), ErrorCode::Unavailable);
    expectNothingOfIt();
}

TEST_F(CommitFailureTest, AFailedCommitThatReachedTheLogIsCommitted)
{
    failures.fail("commit-after", SQLITE_IOERR_FSYNC);
    const Revision revision = mustCommit(change());
    expectAllOfIt(revision);
}

TEST_F(CommitFailureTest, NobodyIsToldUntilTheFateOfABatchIsKnown)
{
    failures.fail("settle", SQLITE_IOERR_READ, 1'000'000);
    std::promise<void> failed;
    failures.at("commit-after",
                [&failed](sqlite3*)
                {
                    failed.set_value();
                    return SQLITE_IOERR_FSYNC;
                });
    const backend::TransactionId held = submit(change());
    failed.get_future().wait();

    // What comes later is refused at once; the first is told nothing meanwhile.
    for (int i = 0; i < 5; ++i)
    {
        const auto id = submit(Draft().put(metaKey("later"), metaValue("x")));
        const auto outcomes = listener->takeOutcomes(1);
        ASSERT_EQ(outcomes.size(), 1U);
        EXPECT_EQ(outcomes[0].id, id);
        EXPECT_EQ(std::get<backend::Failed>(outcomes[0].result).error.code, ErrorCode::Unavailable);
    }
    server->read(backend::ReadId(1), {metaKey("a")});
    server->sync(backend::ReadId(2));
    EXPECT_FALSE(listener->takeRecords(backend::ReadId(1))->ok());
    EXPECT_FALSE(listener->takeCaughtUp(backend::ReadId(2))->ok());

    failures.clear();
    const auto outcomes = listener->takeOutcomes(1);
    ASSERT_EQ(outcomes.size(), 1U);
    EXPECT_EQ(outcomes[0].id, held);
    const auto* committed = std::get_if<backend::Committed>(&outcomes[0].result);
    ASSERT_NE(committed, nullptr);
    expectAllOfIt(committed->revision);
}

TEST_F(CommitFailureTest, AServerThatStopsBeforeTheFateIsKnownSaysSo)
{
    failures.fail("settle", SQLITE_IOERR_READ, 1'000'000);
    failures.fail("commit-after", SQLITE_IOERR_FSYNC);
    submit(change());
    server->stop();
    const auto outcomes = listener->takeOutcomes(1);
    ASSERT_EQ(outcomes.size(), 1U);
    EXPECT_EQ(std::get<backend::Failed>(outcomes[0].result).error.code, ErrorCode::OutcomeUnknown);
    failures.clear();
    start();
    EXPECT_TRUE(loaded.contains(leaseKey("new")));
}

TEST_F(CommitFailureTest, FailuresOneAfterAnotherAreAllSurvived)
{
    for (int i = 0; i < 10; ++i)
    {
        const auto key = metaKey("n" + std::to_string(i));
        failures.fail("settle", SQLITE_IOERR_READ, i % 3);
        failures.fail(i % 2 == 0 ? "commit-after" : "commit-before", SQLITE_IOERR);
        const backend::Outcome outcome = commit(Draft().when(absent(key)).put(key, metaValue("x")));
        EXPECT_EQ(std::holds_alternative<backend::Committed>(outcome.result), i % 2 == 0);
        failures.clear();
    }
    start();
    EXPECT_EQ(loaded.size(), 6U);
}

TEST_F(CommitFailureTest, AConflictInABatchThatFailedIsUnavailable)
{
    // The write fails after the conflict was judged against an earlier write of the same batch.
    int writes = 0;
    failures.at("write", [&writes](sqlite3*) { return ++writes == 2 ? SQLITE_FULL : SQLITE_OK; });
    std::vector<backend::Transaction> batch = {
        Draft().put(metaKey("b"), metaValue("1")),
        Draft().when(absent(metaKey("b"))).put(metaKey("b"), metaValue("2")),
        Draft().put(metaKey("c"), metaValue("3"))};
    server->commit(std::move(batch));
    const auto outcomes = listener->takeOutcomes(3);
    ASSERT_EQ(outcomes.size(), 3U);
    for (const backend::Outcome& outcome : outcomes)
    {
        ASSERT_TRUE(std::holds_alternative<backend::Failed>(outcome.result));
        EXPECT_EQ(std::get<backend::Failed>(outcome.result).error.code, ErrorCode::Unavailable);
    }
}

TEST_F(CommitFailureTest, ADamagedDatabaseIsLost)
{
    failures.fail("write", SQLITE_CORRUPT);
    EXPECT_EQ(mustFail(change()), ErrorCode::Unavailable);
    const auto lost = listener->waitUntilLost();
    ASSERT_TRUE(lost.has_value());
    EXPECT_EQ(lost->code, ErrorCode::Corrupt);
    EXPECT_EQ(mustFail(change()), ErrorCode::Unavailable);
}

} // namespace octostore::test
