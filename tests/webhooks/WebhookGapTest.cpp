// SPDX-License-Identifier: MIT
// Goal: nothing that a receiver has not got is forgotten while there is room, and what is lost is
// told; the log makes nobody wait.
// Method: a journal of a thousand events, and receivers and disks that do not answer.
#include "StuckStore.h"
#include "WebhookFixture.h"

#include <set>

namespace octostore::test
{
namespace
{

using namespace std::chrono_literals;
using event::Type;

event::RetentionLimits small()
{
    event::RetentionLimits limits;
    limits.count = 1000;
    return limits;
}

class WebhookGapTest : public WebhookFixture
{
protected:
    WebhookGapTest() : WebhookFixture(small()) {}
    /// Twice as many events.
    void changes(int count)
    {
        for (int i = 0; i < count; ++i)
            change("lock-" + std::to_string(++_changes));
    }
    /// The journal has been cut as far as it may.
    void trim()
    {
        pass(31s);
        changes(1); // it is looked at with the next event
        changes(1); // given out only after that
    }

private:
    int _changes = 0;
};

TEST_F(WebhookGapTest, WhatAReceiverHasNotGotIsKept)
{
    const std::string id = create(R"(,"ordered":true)");
    const Sequence from = journal.newest();
    answer(answered(503));
    changes(600);
    trim();
    EXPECT_LE(journal.trimmed(), from);
    EXPECT_TRUE(eventsOf(id, Type::WebhookGap).empty());

    answer(answered(200));
    passIn(10min, 1min);
    EXPECT_EQ(taken().size(), 1204U);
    until(
        [&]
        {
            trim();
            return journal.trimmed() > from;
        });
    EXPECT_TRUE(eventsOf(id, Type::WebhookGap).empty());
}

TEST_F(WebhookGapTest, WhatWasTriedBeforeARestartIsKeptFromTheStart)
{
    changes(600);
    const auto first = journal.read(Sequence(), 1);
    ASSERT_TRUE(first && !first->empty());
    const Sequence tried = first->front()->sequence;
    webhooks::Cursor cursor;
    cursor.low = journal.newest();
    cursor.tried = {{{tried, 0}, 1, clock().wallTime()}};
    dispatcher.put(std::make_shared<webhooks::Webhook>(DispatcherStage::webhook("x")), cursor);
    clock().advance(31s); // nothing is read yet
    changes(2);
    EXPECT_LT(journal.trimmed(), tried);
}

TEST_F(WebhookGapTest, WhatIsForgottenNeverthelessIsTold)
{
    const std::string id = create(R"(,"ordered":true)");
    const std::uint64_t from = journal.newest().value() + 1;
    answer(answered(503));
    changes(1050);
    trim();
    const std::uint64_t upTo = journal.trimmed().value();
    ASSERT_GT(upTo, from);
    answer(answered(200));
    passIn(10min, 1min);

    // 512 events were in memory; what follows is lost up to where the journal begins.
    const auto told = eventsOf(id, Type::WebhookGap);
    ASSERT_EQ(told.size(), 1U);
    const std::string letter = "dlv_" + std::to_string(upTo) + "_255";
    EXPECT_EQ(log(id, "?state=cancelled"), std::vector<std::string>{letter + ":cancelled"});
    const std::string path = "/webhooks/" + id + "/deliveries/" + letter;
    const auto shown = get(path);
    EXPECT_EQ(textOf(shown, "type"), "webhook.gap");
    const auto which = *readJson(textOf(shown, "body"));
    const auto begin = static_cast<std::uint64_t>(numberOf(which, "from"));
    EXPECT_EQ(static_cast<std::uint64_t>(numberOf(which, "up_to")), upTo);
    EXPECT_EQ(told[0], "sequences " + std::to_string(begin) + " to " + std::to_string(upTo));

    const auto all = taken();
    const std::set<std::uint64_t> known(all.begin(), all.end());
    EXPECT_GE(*known.begin(), from);
    EXPECT_GT(*known.rbegin(), upTo);
    EXPECT_TRUE(known.lower_bound(begin) == known.upper_bound(upTo)) << "none of them arrived";
    post(path + "/redeliver", "{}", 409);
    EXPECT_EQ(numberOf(post("/webhooks/" + id + "/recover", R"({"since":0})", 202), "redelivered"),
              0);
}

class SlowLogTest : public WebhookFixture
{
protected:
    SlowLogTest() : SlowLogTest(std::make_unique<StuckStore>().release()) {}
    explicit SlowLogTest(StuckStore* made)
        : WebhookFixture({}, std::unique_ptr<webhooks::DeliveryStore>(made)), disk(*made)
    {
    }
    ~SlowLogTest() override { disk.release(); }

    StuckStore& disk;
};

TEST_F(SlowLogTest, WhileItsDiskIsStuckLocksAndDeliveriesGoOnAndEntriesAreDropped)
{
    create();
    change("first");
    pass(1s);
    disk.waitUntilStuck();
    for (int i = 0; i < 20; ++i)
        change("lock-" + std::to_string(i));
    pass(1s);
    EXPECT_EQ(taken().size(), 42U);
    EXPECT_EQ(disk.written(), 0U);
    EXPECT_GE(deliveries->dropped(), 20U);

    disk.release();
    flushLog();
    change("last");
    pass(1s);
    flushLog();
    EXPECT_EQ(taken().size(), 44U);
    EXPECT_GT(disk.written(), 0U);
}

class AskedAgainTest : public testing::Test
{
protected:
    AskedAgainTest()
    {
        stage.put(webhook);
        stage.happen({"a lock"});
        stage.step();
        EXPECT_EQ(stage.sender.count(), 1U);
    }
    void setActive(bool active)
    {
        webhook.active = active;
        stage.put(webhook);
    }

    DispatcherStage stage;
    webhooks::Webhook webhook = DispatcherStage::webhook("a");
    const webhooks::DeliveryKey delivered{Sequence(1), 0};
};

TEST_F(AskedAgainTest, WhileItIsPausedThatIsRememberedOverARestart)
{
    setActive(false);
    stage.dispatcher->redeliver("a", delivered);
    stage.pass(2s);
    EXPECT_EQ(stage.sender.count(), 1U);
    const auto cursor = stage.records.cursor("a");
    stage.restart();
    webhook.active = true;
    stage.put(webhook, cursor);
    stage.step();
    EXPECT_EQ(stage.sender.count(), 2U);
}

TEST_F(AskedAgainTest, WhatIsForgottenIsCancelled)
{
    stage.happen({"another"});
    stage.step();
    stage.journal.trim(delivered.sequence);
    stage.dispatcher->redeliver("a", delivered);
    stage.step();
    EXPECT_EQ(stage.sender.count(), 2U);
    EXPECT_EQ(stage.figures.cancelled.value(), 1U);
    EXPECT_EQ(stage.dispatcher->summary("a")->pending, 0U);
}

TEST_F(AskedAgainTest, AnAddressThatIsNotAllowedIsCounted)
{
    stage.sender.setReceiver("a", [](const auto&) { return unanswered("egress_denied"); });
    stage.happen({"another"});
    stage.step();
    EXPECT_EQ(stage.figures.egressDenied.value(), 1U);
    EXPECT_EQ(stage.figures.took.sample().count(), 2U);
    EXPECT_TRUE(stage.dispatcher->census().oldest);
    setActive(false);
    const auto census = stage.dispatcher->census();
    EXPECT_FALSE(census.oldest) << "it waits for a person";
    EXPECT_EQ(census.paused, 1U);
}

TEST_F(AskedAgainTest, NobodyCanAskForMoreThanFitsInMemory)
{
    setActive(false);
    std::size_t asked = 0;
    while (asked < 100'000 && stage.dispatcher->redeliver("a", delivered))
        ++asked;
    EXPECT_EQ(asked, 20'000U);
    setActive(true);
    stage.step();
    EXPECT_EQ(stage.sender.count(), 2U);
    EXPECT_TRUE(stage.dispatcher->redeliver("a", delivered));
}

} // namespace
} // namespace octostore::test
