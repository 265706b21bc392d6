// SPDX-License-Identifier: MIT
/// @file
/// The document of GET /admin/status.
#pragma once

#include <octostore/base/Time.h>
#include <octostore/coordination/Reply.h>
#include <octostore/http/Identity.h>

#include <cstdint>
#include <string>
#include <vector>

namespace octostore::admin_api
{

/// What is shown; keys in the order of the alphabet.
struct StatusDocument
{
    coordination::NameSurvey survey; ///< locks and rooms
    coordination::Counts counts;
    std::vector<http::Account> accounts;
    std::uint64_t uptimeSeconds = 0;
    WallTime started; ///< since when accounts of the configuration exist
    BootTime now;

    std::string json() const;
};

} // namespace octostore::admin_api
