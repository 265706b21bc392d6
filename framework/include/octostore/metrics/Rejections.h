// SPDX-License-Identifier: MIT
/// @file
/// The metric that everything which turns requests away counts in.
#pragma once

#include <octostore/metrics/Source.h>

namespace octostore::metrics
{

/// With the label `reason`; each reason belongs to one source.
inline constexpr Metric rejections{"octostore_http_rejected_total",
                                   "Requests and connections that were turned away."};

} // namespace octostore::metrics
