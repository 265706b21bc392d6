// SPDX-License-Identifier: MIT
// Goal: a restored store gives every lease its full time and grants nothing too early.
#include "coordination/RestorePlan.h"

#include "RulesFixture.h"

namespace octostore::coordination::test
{
namespace
{

class RestorePlanTest : public RulesFixture
{
protected:
    /// What is read back from a store that was restored with revision 1000.
    RestoreMark markOf(const backend::RestoreOrder& order)
    {
        RestoreMark mark;
        for (const backend::Put& put : order.puts)
            mark.take({put.key, put.value, Revision(1000)});
        return mark;
    }
    RestoreMark planned(Milliseconds wait)
    {
        backend::RestoreOrder order;
        planRestore(order, idOf<SessionId>(1).uuid, "this-boot", now, wait);
        return markOf(order);
    }
    static backend::Record leaseAt(std::uint64_t version)
    {
        backend::LeaseRecord lease;
        lease.deadline.clock = "this-boot";
        return {{backend::Collection::Lease, "a"}, lease, Revision(version)};
    }
    static std::string clockOf(const backend::Record& record)
    {
        return std::string(std::get<backend::LeaseRecord>(record.value).deadline.clock.view());
    }
};

TEST_F(RestorePlanTest, RevisionsAreSkippedAndTheStoreIsAnother)
{
    backend::RestoreOrder order;
    planRestore(order, idOf<SessionId>(1).uuid, "this-boot", now, 1h);
    EXPECT_EQ(order.skip, std::uint64_t(1) << 40);
    ASSERT_FALSE(order.puts.empty());
    EXPECT_EQ(order.puts[0].key.name, "incarnation");
    ASSERT_EQ(order.erasures.size(), 1U);
    EXPECT_EQ(order.erasures[0].name, "clock");
}

TEST_F(RestorePlanTest, OnlyRecordsFromBeforeGetTheirFullTimeAgain)
{
    const RestoreMark mark = planned(1h);
    EXPECT_EQ(mark.base(), Revision(1000));
    backend::Record before = leaseAt(1000);
    backend::Record after = leaseAt(1001);
    mark.renewTime(before);
    mark.renewTime(after);
    EXPECT_EQ(clockOf(before), "");
    EXPECT_EQ(clockOf(after), "this-boot");
}

TEST_F(RestorePlanTest, AStoreThatWasNeverRestoredIsLeftAlone)
{
    const RestoreMark mark;
    backend::Record record = leaseAt(1);
    mark.renewTime(record);
    EXPECT_EQ(clockOf(record), "this-boot");
    EXPECT_EQ(mark.base(), Revision());
    EXPECT_FALSE(mark.grantsFrom("this-boot", now.boot, now));
}

TEST_F(RestorePlanTest, GrantsBeginAtTheSameInstantHoweverOftenTheServerStarts)
{
    const RestoreMark mark = planned(1h);
    const BootTime due = now.boot + 1h;
    pass(10min);
    EXPECT_EQ(mark.grantsFrom("this-boot", now.boot, now), due);
    pass(10min);
    EXPECT_EQ(mark.grantsFrom("this-boot", now.boot, now), due);
}

TEST_F(RestorePlanTest, OnAnotherClockTheWholeWaitBeginsWithTheFirstStart)
{
    const RestoreMark mark = planned(1h);
    const BootTime recovered = now.boot + 5min;
    EXPECT_EQ(mark.grantsFrom("another-boot", recovered, now), recovered + 1h);
}

TEST_F(RestorePlanTest, NoWaitMeansNone)
{
    EXPECT_FALSE(planned(0ms).grantsFrom("this-boot", now.boot, now));
}

TEST_F(RestorePlanTest, NothingIsGrantedBeforeTheInstantAndEverythingFromItOn)
{
    limits.grantsFrom = now.boot + 301s;
    const auto refused = std::get<Refused>(run(acquireBy(1, 60s)));
    EXPECT_EQ(refused.error.code, ErrorCode::Restoring);
    EXPECT_EQ(refused.retryAfterSeconds, 300U) << "clients take no more";
    EXPECT_TRUE(std::holds_alternative<Refused>(run(campaignBy("alpha", 30s, 1))));
    pass(300s);
    EXPECT_EQ(std::get<Refused>(run(acquireBy(1, 60s))).retryAfterSeconds, 1U);
    pass(1s);
    EXPECT_TRUE(std::holds_alternative<Granted>(run(acquireBy(1, 60s))));
}

TEST_F(RestorePlanTest, AHolderKeepsAndRenewsWhatItHasMeanwhile)
{
    const auto granted = std::get<Granted>(run(acquireBy(1, 60s)));
    limits.grantsFrom = now.boot + 1h;
    const LockCredential credential{idOf<HolderId>(1), granted.lease.lease};
    EXPECT_TRUE(std::holds_alternative<Renewed>(run(Renew{credential, 60s})));
    EXPECT_TRUE(std::holds_alternative<Granted>(run(acquireBy(1, 90s))));
    EXPECT_TRUE(std::holds_alternative<Held>(run(acquireBy(2, 60s))));
    EXPECT_TRUE(std::holds_alternative<Ended>(run(Release{credential})));
    EXPECT_TRUE(std::holds_alternative<Refused>(run(acquireBy(2, 60s))));
}

} // namespace
} // namespace octostore::coordination::test
