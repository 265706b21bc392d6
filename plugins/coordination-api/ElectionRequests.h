// SPDX-License-Identifier: MIT
/// @file
/// Election requests, read and checked in the order in which clients are told about faults.
#pragma once

#include <octostore/base/Random.h>
#include <octostore/base/Result.h>
#include <octostore/coordination/Command.h>
#include <octostore/http/Exchange.h>

#include <optional>
#include <string>

namespace octostore::coordination_api
{

/// Where requests for rooms are refused altogether, they are refused before their values are looked
/// at, but behind the shape of their body.
enum class Elections
{
    Served,
    Refused,
};

/// What to ask the engine, and what its answer repeats of the request.
struct ElectionRequest
{
    coordination::Request request;
    std::string room;
    Milliseconds ttl{0};
    std::string leaderToken; ///< as sent
    Term term;               ///< fence only
};

/// Success unless elections are refused. Errors: Forbidden.
Result<void> checkServed(Elections elections);

// Each reads the exchange's room, query and body. Errors: Unprocessable for a body of the wrong
// shape, then Forbidden when elections are refused, InvalidInput and InvalidTtl.

Result<ElectionRequest> campaignRequest(const http::Exchange& exchange, Elections elections,
                                        Random& random);
Result<ElectionRequest> renewRoomRequest(const http::Exchange& exchange, Elections elections);
Result<ElectionRequest> resignRequest(const http::Exchange& exchange, Elections elections);
Result<ElectionRequest> roomStatusRequest(const http::Exchange& exchange, Elections elections);
Result<ElectionRequest> roomFenceRequest(const http::Exchange& exchange, Elections elections);

} // namespace octostore::coordination_api
