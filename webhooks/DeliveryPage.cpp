// SPDX-License-Identifier: MIT
#include "DeliveryPage.h"

#include <octostore/event/TypePattern.h>

#include <algorithm>

namespace octostore::webhooks
{

namespace
{

/// How the last attempt went says nothing about this one.
void mark(DeliveryRow& row, const std::string& state)
{
    row.state = state;
    row.reason.clear();
    row.status = 0;
    row.nextAttempt.reset();
}

/// Whether one that the log does not know belongs into the page.
bool belongs(const DeliveryRow& row, const DeliveryPage& page, const DeliveryQuery& query)
{
    return (query.state.empty() || query.state == row.state) &&
           (query.type.empty() || event::matchesTypeName(query.type, row.type)) &&
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

DeliveryPage pageOf(std::vector<DeliveryRow> logged, const std::vector<DeliveryRow>& current,
                    const DeliveryQuery& query)
{
    DeliveryPage page{std::move(logged), {}};
    cut(page, query.limit);
    for (const DeliveryRow& row : current)
    {
        const auto known =
            std::find_if(page.rows.begin(), page.rows.end(),
                         [&row](const DeliveryRow& one) { return one.key == row.key; });
        if (known != page.rows.end())
            mark(*known, row.state);
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

void showUnderWay(std::optional<DeliveryDetail>& detail, const std::vector<DeliveryRow>& current,
                  DeliveryKey key)
{
    const auto found = std::find_if(current.begin(), current.end(),
                                    [key](const DeliveryRow& one) { return one.key == key; });
    if (found == current.end())
        return;
    if (detail)
        return mark(detail->row, found->state);
    detail.emplace();
    detail->row = *found;
}

} // namespace octostore::webhooks
