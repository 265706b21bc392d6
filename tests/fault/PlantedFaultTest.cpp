// SPDX-License-Identifier: MIT
// Goal: the comparison that the fault tests rest on finds each kind of broken promise.
// Method: the same work on a backend, or a disk, in which one is planted.
#include "FaultFixture.h"
#include "PlantedBackend.h"

#include <gmock/gmock.h>

namespace octostore::test
{
namespace
{

class PlantedFaultTest : public FaultFixture
{
protected:
    void SetUp() override { prepare(); }

    /// What the ledger says after a few batches through a backend with `planted` in it, and a look
    /// at the store through another.
    std::vector<std::string> found(Planted planted)
    {
        begin();
        listener = std::make_unique<RecordingListener>();
        {
            auto opened = sqlite::SqliteBackend::open(faulty());
            EXPECT_TRUE(opened.ok());
            PlantedBackend bad(**opened, planted == Planted::HalfThere ? Planted::None : planted);
            const Result<StoreContent> content = contentOf(bad);
            EXPECT_TRUE(content.ok());
            EXPECT_TRUE(bad.start(*listener));
            Workload workload(bad, *listener, ledger, content->records);
            for (int i = 0; i < 3; ++i)
                workload.runBatch();
            bad.stop();
        }
        auto opened = sqlite::SqliteBackend::open(faulty());
        EXPECT_TRUE(opened.ok());
        PlantedBackend look(**opened, planted);
        const Result<StoreContent> content = contentOf(look);
        EXPECT_TRUE(content.ok());
        return ledger.violations(*content);
    }
};

TEST_F(PlantedFaultTest, ASoundBackendHasNoViolations)
{
    EXPECT_EQ(found(Planted::None), std::vector<std::string>{});
}

TEST_F(PlantedFaultTest, ATermThatIsGivenTwiceIsFound)
{
    EXPECT_THAT(found(Planted::TermReused), testing::Contains(testing::HasSubstr("came after")));
}

TEST_F(PlantedFaultTest, WhatFailedAndIsThereIsFound)
{
    EXPECT_THAT(found(Planted::FailedAndThere),
                testing::Contains(testing::HasSubstr("was refused and is there")));
}

TEST_F(PlantedFaultTest, ATransactionThatIsThereByHalfIsFound)
{
    EXPECT_THAT(found(Planted::HalfThere),
                testing::Contains(testing::HasSubstr("the records are not")));
}

TEST_F(PlantedFaultTest, AnEventThatIsMissingIsFound)
{
    EXPECT_THAT(found(Planted::EventSkipped),
                testing::Contains(testing::HasSubstr("was committed and is not there")));
}

TEST_F(PlantedFaultTest, EventsOutOfOrderAreFound)
{
    EXPECT_THAT(found(Planted::EventsOutOfOrder),
                testing::Contains(testing::HasSubstr("out of order")));
}

TEST_F(PlantedFaultTest, AnAnswerBeforeTheCommitIsFound)
{
    EXPECT_THAT(found(Planted::AcknowledgedTooSoon),
                testing::Contains(testing::HasSubstr("was committed and is not there")));
}

TEST_F(PlantedFaultTest, AStaleAnswerIsFound)
{
    EXPECT_THAT(found(Planted::StaleAnswer), testing::Contains(testing::HasSubstr("is stale")));
}

TEST_F(PlantedFaultTest, ADiskThatOnlySaysItSyncedIsFound)
{
    begin();
    plan.set(Fault::SyncLie, 1, FaultPlan::forEver);
    ASSERT_TRUE(open(faulty()));
    ASSERT_EQ(work->runBatch(), Ledger::names);
    EXPECT_GT(plan.fired.load(), 0U);
    EXPECT_THAT(violationsAfterPowerFailure(false),
                testing::Contains(testing::HasSubstr("was committed and is not there")));
}

} // namespace
} // namespace octostore::test
