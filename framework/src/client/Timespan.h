// SPDX-License-Identifier: MIT
/// @file
/// Durations as Poco wants them.
#pragma once

#include <octostore/base/Time.h>

#include <Poco/Timespan.h>

namespace octostore::client
{

inline Poco::Timespan timespanOf(Milliseconds duration)
{
    return {duration.count() * Poco::Timespan::MILLISECONDS};
}

} // namespace octostore::client
