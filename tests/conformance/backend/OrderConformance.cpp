// SPDX-License-Identifier: MIT
#include "BackendConformance.h"

#include <algorithm>
#include <set>
#include <thread>

namespace octostore::test
{

TEST_P(BackendConformance, TheFirstRevisionIsOne)
{
    EXPECT_EQ(mustCommit(Draft().put(metaKey("a"), metaValue("1"))), Revision(1));
}

TEST_P(BackendConformance, RevisionsGoOnAfterARestart)
{
    const Revision before = mustCommit(Draft().put(metaKey("a"), metaValue("1")));
    restart();
    EXPECT_EQ(loadedRevision, before);
    EXPECT_GT(mustCommit(Draft().put(metaKey("a"), metaValue("2"))), before);
}

TEST_P(BackendConformance, ABatchLargerThanAnyLimitIsCommittedInOrder)
{
    std::vector<backend::Transaction> batch;
    for (int i = 0; i < 2000; ++i)
        batch.push_back(Draft().put(metaKey(std::to_string(i % 300)), metaValue("x")));
    Revision last;
    for (const backend::Outcome& outcome : commit(std::move(batch)))
    {
        ASSERT_TRUE(committedAt(outcome));
        EXPECT_GT(*committedAt(outcome), last);
        last = *committedAt(outcome);
    }
}

TEST_P(BackendConformance, TransactionsOfOnePriorityKeepTheirOrder)
{
    std::vector<backend::Transaction> batch;
    for (int i = 0; i < 800; ++i)
        batch.push_back(Draft()
                            .priority(static_cast<Priority>(i % 4))
                            .put(metaKey(std::to_string(i)), metaValue("x")));
    const auto outcomes = commit(std::move(batch));
    for (std::size_t i = 4; i < outcomes.size(); ++i)
        EXPECT_GT(committedAt(outcomes[i]), committedAt(outcomes[i - 4]));
}

TEST_P(BackendConformance, OutcomesAreReportedInTheOrderOfTheirRevisions)
{
    std::vector<backend::Transaction> batch;
    for (int i = 0; i < 1000; ++i)
        batch.push_back(Draft()
                            .priority(static_cast<Priority>((i * 7) % 4))
                            .put(metaKey(std::to_string(i)), metaValue("x")));
    number(batch);
    server->commit(std::move(batch));
    Revision last;
    for (const backend::Outcome& outcome : listener->takeOutcomes(1000))
    {
        ASSERT_TRUE(committedAt(outcome));
        EXPECT_GT(*committedAt(outcome), last);
        last = *committedAt(outcome);
    }
}

TEST_P(BackendConformance, StopReportsEverythingThatWasPending)
{
    std::vector<backend::Transaction> batch;
    for (int i = 0; i < 3000; ++i)
        batch.push_back(Draft()
                            .priority(static_cast<Priority>(i % 4))
                            .put(metaKey(std::to_string(i)), metaValue("x")));
    number(batch);
    server->commit(std::move(batch));
    server->stop();
    ASSERT_EQ(listener->outcomesReported(), 3000U);

    std::size_t committed = 0;
    for (const backend::Outcome& outcome : listener->takeOutcomes(3000))
        committed += committedAt(outcome) ? 1 : 0;
    restart();
    EXPECT_EQ(loaded.size(), committed);
}

TEST_P(BackendConformance, WhatIsCommittedAfterAStopIsNothing)
{
    mustCommit(Draft().put(metaKey("a"), metaValue("1")));
    server->stop();
    std::vector<backend::Transaction> late{Draft().put(metaKey("late"), metaValue("1"))};
    number(late);
    server->commit(std::move(late));
    server->stop();
    EXPECT_EQ(listener->outcomesReported(), 0U);
    restart();
    EXPECT_EQ(loaded.size(), 1U);
    EXPECT_EQ(loadedRevision, Revision(1));
}

TEST_P(BackendConformance, CommittingNothingIsNothing)
{
    server->commit({});
    EXPECT_EQ(mustCommit(Draft().put(metaKey("a"), metaValue("1"))), Revision(1));
    EXPECT_EQ(listener->outcomesReported(), 0U);
}

TEST_P(BackendConformance, SyncIsAnsweredBehindTheCommitsBeforeIt)
{
    const Revision last = mustCommit(Draft().put(metaKey("a"), metaValue("1")));
    server->sync(backend::ReadId(1'000'001));
    const auto answer = listener->takeCaughtUp(backend::ReadId(1'000'001));
    ASSERT_TRUE(answer && answer->ok());
    EXPECT_GE(**answer, last);
}

TEST_P(BackendConformance, ReadSeesEveryCommitReportedBeforeIt)
{
    for (int i = 0; i < 50; ++i)
    {
        const auto value = metaValue(std::to_string(i));
        const Revision revision = mustCommit(Draft().put(metaKey("a"), value));
        const backend::Record found = read(metaKey("a"));
        EXPECT_EQ(found.value, value);
        EXPECT_EQ(found.version, revision);
    }
}

TEST_P(BackendConformance, SeveralThreadsMayCommitAtOnce)
{
    constexpr int perThread = 200;
    std::vector<backend::Transaction> all;
    for (int i = 0; i < 4 * perThread; ++i)
        all.push_back(Draft().put(metaKey(std::to_string(i % 10)), metaValue("x")));
    number(all);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back(
            [this, &all, t]
            {
                for (int i = 0; i < perThread; ++i)
                    server->commit({all[static_cast<std::size_t>(t * perThread + i)]});
            });
    for (std::thread& thread : threads)
        thread.join();

    std::set<backend::TransactionId> ids;
    std::set<Revision> revisions;
    for (const backend::Outcome& outcome : listener->takeOutcomes(4 * perThread))
    {
        ids.insert(outcome.id);
        revisions.insert(committedAt(outcome).value_or(Revision{}));
    }
    EXPECT_EQ(ids.size(), 4U * perThread);
    EXPECT_EQ(revisions.size(), 4U * perThread);
    EXPECT_FALSE(revisions.contains(Revision{}));
}

TEST_P(BackendConformance, AnExclusiveStoreReportsNoChangesOfOthers)
{
    if (server->traits().shared)
        GTEST_SKIP() << "a shared store reports them";
    mustCommit(Draft().put(metaKey("a"), metaValue("1")));
    server->stop();
    EXPECT_EQ(listener->changesReported(), 0U);
}

} // namespace octostore::test
