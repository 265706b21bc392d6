// SPDX-License-Identifier: MIT
/// @file
/// The engine's replies about elections as JSON, with the keys in the contract's order.
#pragma once

#include "ElectionRequests.h"

#include <octostore/base/Time.h>
#include <octostore/coordination/Reply.h>
#include <octostore/http/Message.h>

#include <optional>
#include <string_view>

namespace octostore::coordination_api
{

/// 201, with the paths of a room that nothing is stored about.
http::Response roomAnswer(std::string_view room);

// Each makes the answer at `now`; nothing when the reply is none that the request can have.

/// 200, as leader or follower.
std::optional<http::Response> campaignAnswer(const ElectionRequest& request,
                                             const coordination::Reply& reply, BootTime now);
std::optional<http::Response> renewRoomAnswer(const ElectionRequest& request,
                                              const coordination::Reply& reply, BootTime now);
std::optional<http::Response> resignAnswer(const ElectionRequest& request,
                                           const coordination::Reply& reply);
std::optional<http::Response> roomStatusAnswer(const ElectionRequest& request,
                                               const coordination::Reply& reply, BootTime now);

} // namespace octostore::coordination_api
