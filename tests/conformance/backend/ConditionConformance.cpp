// SPDX-License-Identifier: MIT
#include "BackendConformance.h"

#include <variant>

namespace octostore::test
{

using backend::Collection;
using backend::Record;

namespace
{

bool isUnavailable(const backend::Outcome& outcome)
{
    const auto* failed = std::get_if<backend::Failed>(&outcome.result);
    return failed && failed->error.code == ErrorCode::Unavailable;
}

} // namespace

TEST_P(BackendConformance, AbsentHoldsOnlyWhileThereIsNoRecord)
{
    const auto key = metaKey("a");
    mustCommit(Draft().when(absent(key)).put(key, metaValue("1")));
    mustConflict(Draft().when(absent(key)).put(key, metaValue("2")));
    mustCommit(Draft().erase(key));
    mustCommit(Draft().when(absent(key)).put(key, metaValue("3")));
    EXPECT_EQ(read(key).value, metaValue("3"));
}

TEST_P(BackendConformance, AtVersionHoldsForTheLastWriteOnly)
{
    const auto key = metaKey("a");
    const Revision first = mustCommit(Draft().put(key, metaValue("1")));
    const Revision second =
        mustCommit(Draft().when(atVersion(key, first)).put(key, metaValue("2")));
    mustConflict(Draft().when(atVersion(key, first)).put(key, metaValue("3")));
    mustConflict(Draft().when(atVersion(key, Revision(second.value() + 1))));
    mustCommit(Draft().when(atVersion(key, second)).put(key, metaValue("4")));
}

TEST_P(BackendConformance, AtVersionNeedsARecord)
{
    const auto key = metaKey("a");
    mustConflict(Draft().when(atVersion(key, Revision{})).put(key, metaValue("1")));
    const Revision first = mustCommit(Draft().put(key, metaValue("1")));
    mustCommit(Draft().erase(key));
    mustConflict(Draft().when(atVersion(key, first)).put(key, metaValue("2")));
}

TEST_P(BackendConformance, PresentHoldsForARecordOfAnyVersion)
{
    const auto key = metaKey("a");
    mustConflict(Draft().when(present(key)));
    mustCommit(Draft().put(key, metaValue("1")));
    mustCommit(Draft().when(present(key)).put(key, metaValue("2")));
    mustCommit(Draft().when(present(key)).erase(key));
    mustConflict(Draft().when(present(key)));
}

TEST_P(BackendConformance, AConflictShowsTheRecordBehindEachFailedConditionAndNoOther)
{
    const Revision first = mustCommit(Draft().put(leaseKey("a"), sampleLease(1)));
    mustCommit(Draft().put(metaKey("m"), metaValue("1")));
    const std::vector<Record> current = mustConflict(Draft()
                                                         .when(absent(leaseKey("a")))
                                                         .when(present(metaKey("m")))
                                                         .when(present(leaseKey("nobody")))
                                                         .put(metaKey("m"), metaValue("2")));
    ASSERT_EQ(current.size(), 2U);
    EXPECT_EQ(current[0], (Record{leaseKey("a"), sampleLease(1, Term(first.value())), first}));
    EXPECT_EQ(current[1].key, leaseKey("nobody"));
    EXPECT_TRUE(isNothing(current[1]));
}

TEST_P(BackendConformance, AConflictChangesNothing)
{
    const Revision first = mustCommit(Draft().put(metaKey("kept"), metaValue("1")));
    mustConflict(Draft()
                     .when(present(metaKey("kept")))
                     .when(absent(metaKey("kept")))
                     .put(metaKey("new"), metaValue("2"))
                     .erase(metaKey("kept"))
                     .event(sampleEvent("a")));
    EXPECT_EQ(read(metaKey("kept")), (Record{metaKey("kept"), metaValue("1"), first}));
    EXPECT_TRUE(isNothing(read(metaKey("new"))));
    EXPECT_TRUE(events().empty());
}

TEST_P(BackendConformance, ConditionsSeeTheEarlierTransactionsOfTheirBatch)
{
    const auto key = leaseKey("contended");
    const auto outcomes = commit({Draft().when(absent(key)).put(key, sampleLease(1)),
                                  Draft().when(absent(key)).put(key, sampleLease(2)),
                                  Draft().when(present(key)).erase(key),
                                  Draft().when(absent(key)).put(key, sampleLease(3))});
    EXPECT_TRUE(committedAt(outcomes[0]));
    const auto* conflict = std::get_if<backend::Conflict>(&outcomes[1].result);
    ASSERT_NE(conflict, nullptr);
    ASSERT_EQ(conflict->current.size(), 1U);
    EXPECT_EQ(conflict->current[0].version, *committedAt(outcomes[0]));
    EXPECT_TRUE(committedAt(outcomes[2]));
    ASSERT_TRUE(committedAt(outcomes[3]));
    EXPECT_EQ(read(key).version, *committedAt(outcomes[3]));
}

TEST_P(BackendConformance, ATransactionWithoutConditionsIsNeverAConflict)
{
    const auto key = metaKey("a");
    mustCommit(Draft().put(key, metaValue("1")));
    mustCommit(Draft().put(key, metaValue("2")));
    mustCommit(Draft().erase(key));
    mustCommit(Draft().erase(key));
}

TEST_P(BackendConformance, SixteenOperationsAreCommittedTogether)
{
    Draft draft;
    for (int i = 0; i < 5; ++i)
        mustCommit(Draft().put(metaKey("old" + std::to_string(i)), metaValue("x")));
    for (int i = 0; i < 6; ++i)
        draft.when(absent(metaKey("new" + std::to_string(i))));
    for (int i = 0; i < 5; ++i)
        draft.put(metaKey("new" + std::to_string(i)), metaValue("y"))
            .erase(metaKey("old" + std::to_string(i)));
    const Revision revision = mustCommit(draft);
    for (int i = 0; i < 5; ++i)
    {
        EXPECT_EQ(read(metaKey("new" + std::to_string(i))).version, revision);
        EXPECT_TRUE(isNothing(read(metaKey("old" + std::to_string(i)))));
    }
}

TEST_P(BackendConformance, SeventeenOperationsAreRefusedAndChangeNothing)
{
    Draft draft;
    for (int i = 0; i < 17; ++i)
        draft.put(metaKey(std::to_string(i)), metaValue("x"));
    EXPECT_TRUE(isUnavailable(commit(draft)));
    EXPECT_TRUE(isNothing(read(metaKey("0"))));
    mustCommit(Draft().put(metaKey("0"), metaValue("x")));
}

TEST_P(BackendConformance, AValueOfAnotherCollectionThanItsKeyIsRefused)
{
    EXPECT_TRUE(isUnavailable(commit(Draft().put(leaseKey("a"), metaValue("x")))));
    EXPECT_TRUE(isUnavailable(commit(Draft().put(metaKey("a"), backend::Value{}))));
    EXPECT_TRUE(isNothing(read(leaseKey("a"))));
    EXPECT_TRUE(isNothing(read(metaKey("a"))));
}

} // namespace octostore::test
