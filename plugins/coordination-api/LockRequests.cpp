// SPDX-License-Identifier: MIT
#include "LockRequests.h"

#include "AccessList.h"
#include "CallerRequest.h"
#include "FenceTerm.h"
#include "RequestFields.h"

#include <octostore/coordination/Name.h>
#include <octostore/http/LockAccess.h>
#include <octostore/http/Query.h>

#include <utility>
#include <vector>

namespace octostore::coordination_api
{

namespace
{

constexpr std::uint64_t ttlSecondsMax = 3600;
constexpr std::uint64_t ttlSecondsDefault = 60;
constexpr std::uint64_t lockDelaySecondsMax = 30;
constexpr std::uint64_t waitSecondsMax = 300;
constexpr std::size_t listLimitDefault = 1000;
constexpr std::size_t listLimitMax = 10'000;

using Seconds = std::chrono::seconds;

Result<void> checkName(const http::Exchange& exchange)
{
    const std::string& name = exchange.parameter("name");
    return firstFailure(
        {coordination::checkLockName(name), http::checkMayUse(name, exchange.caller())});
}

Result<void> checkTtl(std::optional<std::uint64_t> seconds)
{
    return checkRange(ErrorCode::InvalidTtl, "ttl_seconds", seconds, 1, ttlSecondsMax);
}

HolderId holderOf(const http::Identity& caller)
{
    return HolderId{caller.principal.uuid};
}

coordination::Request requestFor(const http::Exchange& exchange)
{
    coordination::Request request = callerRequest(exchange);
    request.name = exchange.parameter("name");
    return request;
}

struct AcquireBody
{
    explicit AcquireBody(RequestFields& fields)
        : ttl(fields.integer("ttl_seconds")),
          metadata(fields.optionalString("metadata")),
          session(fields.optionalUuid("session_id")),
          ephemeral(fields.flag("ephemeral")),
          lockDelay(fields.integer("lock_delay_seconds")),
          acl(fields.accessList("acl")),
          wait(fields.integer("wait_seconds"))
    {
    }

    /// In the order in which the client is told.
    Result<void> check() const
    {
        return firstFailure(
            {checkTtl(ttl), coordination::checkMetadata(metadata.value_or("")),
             checkRange(ErrorCode::InvalidInput, "lock_delay_seconds", lockDelay, 0,
                        lockDelaySecondsMax),
             checkRange(ErrorCode::InvalidInput, "wait_seconds", wait, 0, waitSecondsMax),
             checkSession()});
    }

    Result<void> checkSession() const
    {
        if (ephemeral && !session)
            return Error{ErrorCode::InvalidInput, "An ephemeral lock needs a `session_id`."};
        return {};
    }

    std::optional<std::uint64_t> ttl;
    std::optional<std::string> metadata;
    std::optional<Uuid> session;
    bool ephemeral;
    std::optional<std::uint64_t> lockDelay;
    std::optional<std::vector<std::string>> acl;
    std::optional<std::uint64_t> wait;
};

} // namespace

Result<coordination::Request> acquireRequest(const http::Exchange& exchange, Random& random)
{
    RequestFields fields(exchange.json());
    const AcquireBody body(fields);
    if (fields.fault())
        return *fields.fault();
    if (const auto checked = firstFailure({checkName(exchange), body.check()}); !checked)
        return checked.error();

    const http::Identity& caller = exchange.caller();
    coordination::Acquire acquire;
    if (body.acl)
    {
        Result<AccessList> list = readAccessList(*body.acl);
        if (!list)
            return list.error();
        acquire.acl = *std::move(list);
    }
    acquire.callerNames = namesInAccessLists(caller);
    acquire.admin = caller.role == http::Role::Admin;
    if (body.session)
        // To the engine the nil ID is none at all; to clients it is one that nobody opened.
        acquire.session = SessionId{body.session->isNil() ? random.uuid() : *body.session};
    acquire.ephemeral = body.ephemeral;
    acquire.holder = body.ephemeral ? HolderId{acquire.session.uuid} : holderOf(caller);
    acquire.principal = caller.principal;
    acquire.label = caller.name;
    acquire.ttl = Seconds(body.ttl.value_or(ttlSecondsDefault));
    acquire.metadata = body.metadata;
    acquire.lockDelay = Seconds(body.lockDelay.value_or(0));
    acquire.freshLease = LeaseId{random.uuid()};

    coordination::Request request = requestFor(exchange);
    request.operation = coordination::Command(std::move(acquire));
    request.wait = Seconds(body.wait.value_or(0));
    return request;
}

Result<coordination::Request> renewLockRequest(const http::Exchange& exchange)
{
    RequestFields fields(exchange.json());
    const LeaseId lease{fields.uuid("lease_id")};
    const std::optional<std::uint64_t> ttl = fields.integer("ttl_seconds");
    if (fields.fault())
        return *fields.fault();
    if (const auto checked = firstFailure({checkName(exchange), checkTtl(ttl)}); !checked)
        return checked.error();

    coordination::Request request = requestFor(exchange);
    request.operation = coordination::Command(
        coordination::Renew{coordination::LockCredential{holderOf(exchange.caller()), lease},
                            Seconds(ttl.value_or(ttlSecondsDefault))});
    return request;
}

Result<coordination::Request> releaseRequest(const http::Exchange& exchange)
{
    RequestFields fields(exchange.json());
    const LeaseId lease{fields.uuid("lease_id")};
    if (fields.fault())
        return *fields.fault();
    if (const auto checked = checkName(exchange); !checked)
        return checked.error();

    coordination::Request request = requestFor(exchange);
    request.operation =
        coordination::Command(coordination::Release{{holderOf(exchange.caller()), lease}});
    return request;
}

Result<coordination::Request> lockStatusRequest(const http::Exchange& exchange)
{
    if (const auto checked = checkName(exchange); !checked)
        return checked.error();
    coordination::Request request = requestFor(exchange);
    request.operation = coordination::Query(coordination::GetStatus{});
    return request;
}

Result<FenceRequest> lockFenceRequest(const http::Exchange& exchange)
{
    if (const auto checked = checkName(exchange); !checked)
        return checked.error();
    const Result<Term> term = fenceTermOf(exchange.request().query());
    if (!term)
        return term.error();
    FenceRequest fence{requestFor(exchange), *term};
    fence.request.operation = coordination::Query(coordination::CheckFence{*term});
    return fence;
}

Result<ListRequest> listRequest(const http::Exchange& exchange)
{
    const auto query = http::Query::parse(exchange.request().query());
    if (!query)
        return query.error();
    const auto limit = query->integer("limit", 1, listLimitMax);
    if (!limit)
        return limit.error();

    const std::string own = http::lockPrefixOf(exchange.caller());
    std::optional<std::string> prefix;
    if (const std::string* given = query->find("prefix"))
        prefix = *given;
    if (prefix && !prefix->starts_with(own))
        return Error{ErrorCode::Forbidden, "Your lock names start with `" + own + "`."};
    if (!prefix && !own.empty())
        prefix = own;

    coordination::ListLocks list;
    list.prefix = prefix.value_or("");
    if (const std::string* after = query->find("after"))
        list.after = *after;
    list.limit = limit->value_or(listLimitDefault);
    ListRequest result;
    result.request.operation = coordination::Query(std::move(list));
    result.prefix = std::move(prefix);
    return result;
}

} // namespace octostore::coordination_api
