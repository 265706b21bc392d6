// SPDX-License-Identifier: MIT
/// @file
/// In which order plugins start.
#pragma once

#include <octostore/base/Api.h>

#include <string>
#include <vector>

namespace octostore::plugin
{

/// One plugin of a group and those it needs.
struct StartNode
{
    std::string id;
    std::vector<std::string> required;
};

/// Indices into `nodes`: each behind those it requires, else as given. What a node requires outside
/// `nodes` does not count here. Plugins that require one another in a circle, and those that
/// require one of these, come last.
OCTOSTORE_API std::vector<std::size_t> startOrder(const std::vector<StartNode>& nodes);

} // namespace octostore::plugin
