// SPDX-License-Identifier: MIT
// Goal: what is under way is shown so, wherever it belongs, and pages neither lose nor repeat it.
// Method: pure; pages are made of rows of the log and rows of the dispatcher.
#include "DeliveryPage.h"

#include <gtest/gtest.h>

namespace octostore::webhooks
{
namespace
{

DeliveryRow rowOf(std::uint64_t sequence, const std::string& state = "delivering")
{
    DeliveryRow row;
    row.key = {Sequence(sequence)};
    row.id = "dlv_" + std::to_string(sequence);
    row.type = sequence % 2 == 0 ? "lock.released" : "lock.acquired";
    row.state = state;
    row.reason = state == "retrying" ? "timeout" : "";
    return row;
}

/// Newest first.
std::vector<DeliveryRow> rowsOf(const std::vector<std::uint64_t>& sequences,
                                const std::string& state)
{
    std::vector<DeliveryRow> rows;
    for (const std::uint64_t sequence : sequences)
        rows.push_back(rowOf(sequence, state));
    return rows;
}

DeliveryQuery queryOf(const std::string& state = {}, std::size_t limit = 3)
{
    DeliveryQuery query;
    query.state = state;
    query.limit = limit;
    return query;
}

/// `id:state` of each, and `next`.
std::string textOf(const DeliveryPage& page)
{
    std::string text;
    for (const DeliveryRow& row : page.rows)
        text += row.id + ":" + row.state + " ";
    return text + "next:" + page.next;
}

TEST(DeliveryPageTest, WhatWaitedForAnotherAttemptIsDeliveringWhileItIsMade)
{
    const auto logged = rowsOf({3, 2}, "retrying");
    const DeliveryPage page = pageOf(logged, {rowOf(2)}, queryOf());
    EXPECT_EQ(textOf(page), "dlv_3:retrying dlv_2:delivering next:");
    EXPECT_EQ(page.rows[1].reason, "") << "of the attempt before";
    EXPECT_EQ(textOf(pageOf(logged, {rowOf(2)}, queryOf("retrying"))), "dlv_3:retrying next:");
    EXPECT_EQ(textOf(pageOf(logged, {rowOf(2)}, queryOf("failed"))),
              "dlv_3:retrying dlv_2:delivering next:");
}

TEST(DeliveryPageTest, WhatTheLogDoesNotKnowYetStandsInItsPlace)
{
    const auto logged = rowsOf({5, 2}, "succeeded");
    EXPECT_EQ(textOf(pageOf(logged, {rowOf(1), rowOf(3)}, queryOf({}, 10))),
              "dlv_5:succeeded dlv_3:delivering dlv_2:succeeded dlv_1:delivering next:");
    EXPECT_EQ(textOf(pageOf({}, {rowOf(3)}, queryOf("delivering"))), "dlv_3:delivering next:");
    EXPECT_EQ(textOf(pageOf({}, {rowOf(3)}, queryOf("failed"))), "next:");
    EXPECT_EQ(textOf(pageOf({}, {rowOf(3)}, queryOf("succeeded"))), "next:");
    DeliveryQuery query = queryOf();
    query.type = "*.released";
    EXPECT_EQ(textOf(pageOf({}, {rowOf(3), rowOf(4)}, query)), "dlv_4:delivering next:");
}

TEST(DeliveryPageTest, WhatWaitsForItsFirstAttemptIsPendingWhetherTheLogKnowsItOrNot)
{
    const std::vector<DeliveryRow> current = {rowOf(4), rowOf(5, "pending"), rowOf(6, "pending")};
    EXPECT_EQ(textOf(pageOf(rowsOf({5}, "pending"), current, queryOf("pending"))),
              "dlv_6:pending dlv_5:pending next:");
    EXPECT_EQ(textOf(pageOf(rowsOf({3}, "succeeded"), current, queryOf({}, 10))),
              "dlv_6:pending dlv_5:pending dlv_4:delivering dlv_3:succeeded next:");
    EXPECT_EQ(textOf(pageOf({}, current, queryOf("failed"))), "next:");
}

TEST(DeliveryPageTest, APageHoldsNoMoreThanItsLimitAndTheNextOneBeginsBehindIt)
{
    // Four of the log: there are more than three.
    const auto logged = rowsOf({9, 7, 5, 3}, "succeeded");
    const std::vector<DeliveryRow> flying = {rowOf(8), rowOf(4)};
    EXPECT_EQ(textOf(pageOf(logged, flying, queryOf())),
              "dlv_9:succeeded dlv_8:delivering dlv_7:succeeded next:dlv_7");
    DeliveryQuery second = queryOf();
    second.before = DeliveryKey{Sequence(7)};
    EXPECT_EQ(textOf(pageOf(rowsOf({5, 3}, "succeeded"), flying, second)),
              "dlv_5:succeeded dlv_4:delivering dlv_3:succeeded next:");
    EXPECT_EQ(textOf(pageOf(rowsOf({9, 8, 5, 3}, "pending"), flying, queryOf("pending"))),
              "dlv_9:pending dlv_5:pending next:dlv_5");
}

TEST(DeliveryPageTest, OneDeliveryIsShownAsItIs)
{
    std::optional<DeliveryDetail> detail;
    showUnderWay(detail, {rowOf(3)}, {Sequence(4)});
    EXPECT_FALSE(detail);
    showUnderWay(detail, {rowOf(3)}, {Sequence(3)});
    ASSERT_TRUE(detail);
    EXPECT_EQ(detail->row.id, "dlv_3");
    detail->row = rowOf(3, "retrying");
    showUnderWay(detail, {rowOf(3)}, {Sequence(3)});
    EXPECT_EQ(detail->row.state, "delivering");
}

} // namespace
} // namespace octostore::webhooks
