// SPDX-License-Identifier: MIT
/// @file
/// Lock requests, read and checked in the order in which clients are told about faults.
#pragma once

#include <octostore/base/Random.h>
#include <octostore/base/Result.h>
#include <octostore/coordination/Command.h>
#include <octostore/http/Exchange.h>

#include <optional>
#include <string>

namespace octostore::coordination_api
{

// Each reads the exchange's name, caller, query and body. Errors: Unprocessable for a body of the
// wrong shape, then InvalidLockName, Forbidden (a reserved name, a name outside the caller's
// namespace), InvalidTtl and InvalidInput.

Result<coordination::Request> acquireRequest(const http::Exchange& exchange, Random& random);
Result<coordination::Request> renewLockRequest(const http::Exchange& exchange);
Result<coordination::Request> releaseRequest(const http::Exchange& exchange);
Result<coordination::Request> lockStatusRequest(const http::Exchange& exchange);

/// Which term to check; the answer names it again.
struct FenceRequest
{
    coordination::Request request;
    Term term;
};
Result<FenceRequest> lockFenceRequest(const http::Exchange& exchange);

/// What to list, and the prefix the answer names.
struct ListRequest
{
    coordination::Request request;
    std::optional<std::string> prefix;
};
Result<ListRequest> listRequest(const http::Exchange& exchange);

} // namespace octostore::coordination_api
