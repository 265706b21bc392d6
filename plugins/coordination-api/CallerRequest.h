// SPDX-License-Identifier: MIT
/// @file
/// Requests to the engine in the name of an authenticated caller.
#pragma once

#include <octostore/coordination/Command.h>
#include <octostore/http/Exchange.h>

namespace octostore::coordination_api
{

/// A request without an operation, whose actor is the caller.
inline coordination::Request callerRequest(const http::Exchange& exchange)
{
    const http::Identity& caller = exchange.caller();
    coordination::Request request;
    request.actor.kind =
        caller.role == http::Role::Admin ? event::ActorKind::Admin : event::ActorKind::User;
    request.actor.name = caller.name;
    return request;
}

} // namespace octostore::coordination_api
