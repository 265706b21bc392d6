// SPDX-License-Identifier: MIT
/// @file
/// What one name may answer, one operation after the other.
#pragma once

#include "History.h"

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace octostore::test
{

/// A name whose leases do not end by time while it is watched. Nothing is known of a lease whose
/// grant was never answered until somebody sees it.
struct LeaseState
{
    static constexpr int nobody = -1;

    int holder = nobody;
    std::string lease = {};     ///< empty while unknown
    std::int64_t term = 0;      ///< 0 while unknown
    std::int64_t termFloor = 0; ///< the next term is higher

    auto operator<=>(const LeaseState&) const = default;
};

/// The states after `operation` in `state`; none: it cannot have been answered so there. Never
/// refuses what got no answer.
std::vector<LeaseState> after(const LeaseState& state, const Operation& operation);

} // namespace octostore::test
