// SPDX-License-Identifier: MIT
#include "plugin/StartOrder.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace octostore::plugin
{

std::vector<std::size_t> startOrder(const std::vector<StartNode>& nodes)
{
    std::set<std::string_view> waiting;
    for (const StartNode& node : nodes)
        waiting.insert(node.id);

    std::vector<std::size_t> order;
    std::vector<bool> placed(nodes.size(), false);
    const auto isFree = [&](std::size_t i)
    {
        const auto& required = nodes[i].required;
        return std::none_of(required.begin(), required.end(),
                            [&](const std::string& id) { return waiting.count(id) != 0; });
    };
    // From the start again after each placement, so that the given order holds wherever it can.
    for (std::size_t i = 0; i < nodes.size();)
    {
        if (placed[i] || !isFree(i))
        {
            ++i;
            continue;
        }
        placed[i] = true;
        waiting.erase(nodes[i].id);
        order.push_back(i);
        i = 0;
    }
    for (std::size_t i = 0; i < nodes.size(); ++i)
    {
        if (!placed[i])
            order.push_back(i);
    }
    return order;
}

} // namespace octostore::plugin
