// SPDX-License-Identifier: MIT
#include "DeliveryPage.h"

#include "Matching.h"

#include <algorithm>

namespace octostore::webhooks
{

namespace
{

/// How the last attempt went says nothing about this one.
void markUnderWay(DeliveryRow& row)
{
    row.state = "delivering";
    row.reason.clear();
    row.status = 0;
    row.nextAttempt.reset();
}

/// Whether one that the log does not know belongs into the page.
bool belongs(const DeliveryRow& row, const DeliveryPage& page, const DeliveryQuery& query)
{
    return (query.state.empty() || query.state == "delivering") &&
           (query.type.empty() || matchesTypeName(query.type, row.type)) &&
           (!query.before || row.key < *query.before) &&
           (page.next.empty() || page.rows.back().key < row.key);
}

void insert(const DeliveryRow& row, DeliveryPage& page)
{
    const auto at = std::find_if(page.rows.begin(), page.rows.end(),
                                 [&row](const DeliveryRow& one) { return one.key < row.key; });
    page.rows.insert(at, row);
}

void cut(DeliveryPage& page, std::size_t limit)
{
    if (page.rows.size() <= limit)
        return;
    page.rows.resize(limit);
    page.next = page.rows.back().id;
}

} // namespace

DeliveryPage pageOf(std::vector<DeliveryRow> logged, const std::vector<DeliveryRow>& flying,
                    const DeliveryQuery& query)
{
    DeliveryPage page{std::move(logged), {}};
    cut(page, query.limit);
    for (const DeliveryRow& row : flying)
    {
        const auto known =
            std::find_if(page.rows.begin(), page.rows.end(),
                         [&row](const DeliveryRow& one) { return one.key == row.key; });
        if (known != page.rows.end())
            markUnderWay(*known);
        else if (belongs(row, page, query))
            insert(row, page);
    }
    cut(page, query.limit);
    // Only now: where the page ends has been decided.
    if (!query.state.empty() && query.state != "failed")
        std::erase_if(page.rows,
                      [&query](const DeliveryRow& row) { return row.state != query.state; });
    return page;
}

void showUnderWay(std::optional<DeliveryDetail>& detail, const std::vector<DeliveryRow>& flying,
                  DeliveryKey key)
{
    const auto found = std::find_if(flying.begin(), flying.end(),
                                    [key](const DeliveryRow& one) { return one.key == key; });
    if (found == flying.end())
        return;
    if (detail)
        return markUnderWay(detail->row);
    detail.emplace();
    detail->row = *found;
}

} // namespace octostore::webhooks
