// SPDX-License-Identifier: MIT
/// @file
/// The engine's replies about locks as JSON, with the keys in the contract's order.
#pragma once

#include <octostore/base/Time.h>
#include <octostore/coordination/Reply.h>
#include <octostore/http/Message.h>

#include <optional>
#include <string>

namespace octostore::coordination_api
{

// Each makes the answer at `now`; nothing when the reply is none that the request can have.

/// 200 acquired, 200 held or 409 delayed.
std::optional<http::Response> acquireAnswer(const coordination::Reply& reply, BootTime now);
std::optional<http::Response> renewLockAnswer(const coordination::Reply& reply, BootTime now);
/// The JSON literal `null`.
std::optional<http::Response> releaseAnswer(const coordination::Reply& reply);
std::optional<http::Response> lockStatusAnswer(const coordination::Reply& reply);
/// `prefix`: what the listing was filtered by, if by anything.
std::optional<http::Response> listAnswer(const coordination::Reply& reply,
                                         const std::optional<std::string>& prefix);

/// `{<key>: name, term, current, live_term}`, for locks and rooms.
std::optional<http::Response> fenceAnswer(const coordination::Reply& reply, std::string_view key,
                                          std::string_view name, Term term);

} // namespace octostore::coordination_api
