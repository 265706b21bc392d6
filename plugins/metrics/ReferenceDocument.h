// SPDX-License-Identifier: MIT
/// @file
/// The JSON document that /metrics has always been.
#pragma once

#include "EndpointFigures.h"

#include <octostore/coordination/Reply.h>

#include <cstdint>
#include <string>

namespace octostore::metrics
{

struct ReferenceValues
{
    std::uint64_t uptimeSeconds = 0;
    std::uint64_t requests = 0;
    std::uint64_t users = 0;
    std::uint64_t residentBytes = 0;
    coordination::Counts counts;
};

/// Percentiles and averages are texts with one decimal, as clients expect them; each reads as a
/// number, however slow a request was.
std::string referenceJson(const ReferenceValues& values, const EndpointTable& endpoints);

} // namespace octostore::metrics
