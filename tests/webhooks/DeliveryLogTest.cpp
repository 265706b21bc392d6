// SPDX-License-Identifier: MIT
// Goal: the log keeps what was delivered over restarts, within its age and size, and makes nobody
// wait.
// Method: notes go to a real file with a clock that obeys the test; a store that is stuck stands
// for a slow disk.
#include "DeliveryLog.h"

#include "StuckStore.h"
#include "support/FakeClock.h"
#include "support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>

namespace octostore::webhooks
{
namespace
{

using namespace std::chrono_literals;

class DeliveryLogTest : public testing::Test
{
protected:
    DeliveryLogTest() { open(); }

    void open()
    {
        log.reset();
        auto opened = DeliveryLog::open(file, clock, limits, Logger());
        ASSERT_TRUE(opened) << opened.error().message;
        log = *std::move(opened);
    }
    /// A delivery with one attempt.
    DeliveryNote note(std::uint64_t sequence, const std::string& state = "succeeded",
                      std::size_t bytes = 10) const
    {
        DeliveryNote note;
        note.row.webhook = "w";
        note.row.key = {Sequence(sequence), 0};
        note.row.id = "dlv_" + std::to_string(sequence);
        note.row.type = "lock.acquired";
        note.row.resource = "lock:a";
        note.row.state = state;
        note.row.attempts = 1;
        note.row.reason = state == "succeeded" ? "" : "http_5xx";
        note.row.happened = note.row.updated = clock.wallTime();
        note.row.body = std::string(bytes, 'b');
        note.attempt = AttemptRow{
            1, clock.wallTime(), Milliseconds(sequence), 200, note.row.reason, "", "{}", "ok"};
        return note;
    }
    std::vector<DeliveryRow> list(const std::string& state = {}, std::size_t limit = 1000)
    {
        DeliveryQuery query;
        query.webhook = "w";
        query.state = state;
        query.limit = limit;
        std::promise<std::vector<DeliveryRow>> rows;
        log->list(query, [&rows](std::vector<DeliveryRow> found) { rows.set_value(found); });
        return rows.get_future().get();
    }
    std::optional<DeliveryDetail> find(std::uint64_t sequence)
    {
        std::promise<std::optional<DeliveryDetail>> detail;
        log->find("w", {Sequence(sequence), 0},
                  [&detail](std::optional<DeliveryDetail> found) { detail.set_value(found); });
        return detail.get_future().get();
    }
    DeliveryStats stats()
    {
        std::promise<DeliveryStats> stats;
        log->stats("w", [&stats](DeliveryStats found) { stats.set_value(found); });
        return stats.get_future().get();
    }
    /// It is trimmed with the next note.
    void trimAfter(std::chrono::hours time)
    {
        clock.advance(time);
        log->note(note(1'000'000));
        list();
    }

    test::TemporaryDirectory directory;
    const std::string file = directory.file("webhooks.log");
    test::FakeClock clock;
    DeliveryLogLimits limits;
    std::unique_ptr<DeliveryLog> log;
};

TEST_F(DeliveryLogTest, WhatWasNotedIsThereAfterARestart)
{
    log->note(note(1, "retrying"));
    log->note(note(2));
    open();
    const auto rows = list();
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].id, "dlv_2");
    EXPECT_EQ(rows[1].state, "retrying");
    const auto detail = find(1);
    ASSERT_TRUE(detail);
    EXPECT_EQ(detail->row.body, std::string(10, 'b'));
    ASSERT_EQ(detail->attempts.size(), 1U);
    EXPECT_EQ(detail->attempts[0].reason, "http_5xx");
    EXPECT_EQ(detail->attempts[0].response, "ok");
}

TEST_F(DeliveryLogTest, ALaterNoteOfADeliveryReplacesItsStateAndAddsAnAttempt)
{
    log->note(note(1, "retrying"));
    DeliveryNote second = note(1);
    second.attempt->number = 2;
    clock.advance(1s);
    second.attempt->at = clock.wallTime();
    log->note(second);
    EXPECT_TRUE(list("failed").empty());
    EXPECT_EQ(find(1)->attempts.size(), 2U);
}

TEST_F(DeliveryLogTest, FailedIsWhateverDidNotArrive)
{
    std::uint64_t sequence = 0;
    for (const char* state :
         {"pending", "retrying", "succeeded", "exhausted", "expired", "cancelled"})
        log->note(note(++sequence, state));
    EXPECT_EQ(list("failed").size(), 4U);
    EXPECT_EQ(list("exhausted").size(), 1U);
    EXPECT_EQ(list().size(), 6U);
}

TEST_F(DeliveryLogTest, BodiesGoAfterAWeekAndDeliveriesAfterAMonth)
{
    log->note(note(1));
    trimAfter(7 * 24h + 1h);
    ASSERT_TRUE(find(1));
    EXPECT_EQ(find(1)->row.body, "");
    EXPECT_EQ(find(1)->attempts.size(), 1U);
    trimAfter(23 * 24h);
    EXPECT_FALSE(find(1));
    EXPECT_EQ(list().size(), 1U);
}

TEST_F(DeliveryLogTest, AFloodStaysBelowItsSizeAndTheNewestStay)
{
    limits.bytes = 2 * 1024 * 1024;
    open();
    constexpr std::uint64_t count = 6000; // of 2 KiB
    for (std::uint64_t i = 1; i <= count; ++i)
    {
        clock.advance(1ms);
        log->note(note(i, "succeeded", 2048));
        if (i % 500 == 0)
            list({}, 1); // the flood is no faster than the disk: nothing is dropped
    }
    EXPECT_EQ(log->dropped(), 0U);
    const auto rows = list({}, count);
    ASSERT_GE(rows.size(), 100U);
    EXPECT_LE(rows.size(), limits.bytes / 2048);
    EXPECT_EQ(rows.front().key.sequence.value(), count);
    log.reset();
    EXPECT_LE(std::filesystem::file_size(file), limits.bytes * 5 / 4);
}

TEST_F(DeliveryLogTest, TheStatisticsAreOfTheLastDay)
{
    log->note(note(1, "exhausted"));
    clock.advance(25h);
    for (std::uint64_t took = 1; took <= 100; ++took)
        log->note(note(took, took <= 20 ? "retrying" : "succeeded"));
    const DeliveryStats day = stats();
    EXPECT_EQ(day.attempts, 100U);
    EXPECT_EQ(day.succeeded, 80U);
    EXPECT_EQ(day.p95, Milliseconds(95));
}

TEST_F(DeliveryLogTest, ADamagedFileIsSetAside)
{
    log.reset();
    directory.write("webhooks.log", std::string(8192, 'x'));
    open();
    log->note(note(1));
    EXPECT_EQ(list().size(), 1U);
    EXPECT_EQ(std::filesystem::file_size(file + ".damaged"), 8192U);
}

TEST_F(DeliveryLogTest, WhatIsDamagedWithinIsFoundWhenItIsWritten)
{
    for (std::uint64_t i = 1; i <= 100; ++i)
        log->note(note(i));
    log.reset();
    constexpr std::uint64_t page = 4096; // the first one, which opening looks at, stays
    std::fstream damage(file, std::ios::in | std::ios::out | std::ios::binary);
    damage.seekp(page);
    damage << std::string(std::filesystem::file_size(file) - page, 'x');
    damage.close();
    open();
    log->note(note(101));
    const auto rows = list();
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].id, "dlv_101");
    EXPECT_EQ(log->dropped(), 0U);
    EXPECT_TRUE(std::filesystem::exists(file + ".damaged"));
}

TEST_F(DeliveryLogTest, WhileTheDiskIsStuckNotesAreDroppedAndCountedAndNobodyWaits)
{
    auto stuck = std::make_unique<test::StuckStore>();
    test::StuckStore& store = *stuck;
    limits.queued = 100;
    log = std::make_unique<DeliveryLog>(std::move(stuck), clock, limits);
    log->note(note(1));
    store.waitUntilStuck();
    for (std::uint64_t i = 2; i <= 201; ++i)
        log->note(note(i));
    EXPECT_EQ(log->dropped(), 100U);
    store.release();
    log->stop();
    EXPECT_EQ(store.written(), 101U);
}

TEST_F(DeliveryLogTest, LargeBodiesTakeABoundedPartOfMemory)
{
    auto stuck = std::make_unique<test::StuckStore>();
    test::StuckStore& store = *stuck;
    limits.queuedBytes = 100'000;
    log = std::make_unique<DeliveryLog>(std::move(stuck), clock, limits);
    log->note(note(1));
    store.waitUntilStuck();
    for (std::uint64_t i = 2; i <= 21; ++i)
        log->note(note(i, "succeeded", 9'000));
    EXPECT_EQ(log->dropped(), 10U);
    store.release();
}

TEST_F(DeliveryLogTest, AQuestionWaitsForWhatWasNotedBeforeItAndForNothingElse)
{
    auto stuck = std::make_unique<test::StuckStore>();
    test::StuckStore& store = *stuck;
    log = std::make_unique<DeliveryLog>(std::move(stuck), clock, limits);
    log->note(note(1));
    store.waitUntilStuck();
    log->note(note(2));
    std::promise<std::size_t> written;
    log->list({}, [&](const auto&) { written.set_value(store.written()); });
    for (std::uint64_t i = 3; i <= 3000; ++i)
        log->note(note(i));
    store.release();
    // Whole batches are written; the last ones come later.
    const std::size_t seen = written.get_future().get();
    EXPECT_GE(seen, 2U);
    EXPECT_LT(seen, 3000U);
}

} // namespace
} // namespace octostore::webhooks
