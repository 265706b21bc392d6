// SPDX-License-Identifier: MIT
#include "AccountStore.h"

#include <octostore/base/Text.h>
#include <octostore/http/Reason.h>
#include <octostore/plugin/StoredRecords.h>

#include <utility>

namespace octostore::accounts
{

namespace
{

using coordination::Refused;
using coordination::Reply;

backend::Key keyOf(const backend::PrincipalRecord& account)
{
    // By its name, so that there can only be one, however it is written.
    return {backend::Collection::Principal, toLower(account.name)};
}

} // namespace

Result<void> AccountStore::load()
{
    const auto records = plugin::storedRecords(_coordinator, _clock, backend::Collection::Principal,
                                               "the stored accounts");
    if (!records)
        return records.error();
    for (const backend::Record& record : *records)
        if (const auto* account = std::get_if<backend::PrincipalRecord>(&record.value))
            _table.put({*account, record.version});
    return {};
}

coordination::Request AccountStore::change(const http::ExchangePtr& exchange,
                                           const StoredAccount& before,
                                           const backend::PrincipalRecord& after, event::Type type,
                                           std::string reason) const
{
    using Kind = backend::Condition::Kind;
    const bool fresh = before.version == Revision();
    coordination::StoreRecords store;
    store.transaction.conditions.push_back(
        {keyOf(after), fresh ? Kind::Absent : Kind::AtVersion, before.version});
    store.transaction.puts.push_back({keyOf(after), after});
    event::Draft draft;
    draft.type = type;
    draft.facts = {type};
    draft.time = _clock.wallTime();
    draft.kind = event::ResourceKind::Account;
    draft.name = after.name;
    draft.actor = {event::ActorKind::User, after.name};
    draft.request = exchange->id();
    draft.reason = std::move(reason);
    store.transaction.event = std::move(draft);

    coordination::Request request;
    request.operation = std::move(store);
    request.id = exchange->id();
    request.arrived = exchange->request().arrived;
    return request;
}

void AccountStore::create(const http::ExchangePtr& exchange, backend::PrincipalRecord account,
                          Done done)
{
    coordination::Request request =
        change(exchange, {account, Revision()}, account, event::Type::AccountCreated);
    submit(exchange, std::move(request), std::move(account),
           {ErrorCode::Conflict, "The name is taken."}, std::move(done));
}

void AccountStore::replaceToken(const http::ExchangePtr& exchange, const StoredAccount& account,
                                const Digest& token, Done done)
{
    Result<std::string> reason = http::reasonOfAct(*exchange);
    if (!reason)
        return done(reason.error());
    backend::PrincipalRecord after = account.record;
    after.tokenDigest = token;
    coordination::Request request =
        change(exchange, account, after, event::Type::TokenRotated, *std::move(reason));
    submit(exchange, std::move(request), std::move(after),
           {ErrorCode::AuthenticationFailed, "The token was replaced meanwhile."}, std::move(done));
}

void AccountStore::submit(const http::ExchangePtr& exchange, coordination::Request request,
                          backend::PrincipalRecord after, Error conflict, Done done)
{
    _coordinator.submit(std::move(request), exchange->executor(),
                        [this, after = std::move(after), conflict = std::move(conflict),
                         done = std::move(done)](const Reply& reply)
                        {
                            if (const auto* stored = std::get_if<coordination::Stored>(&reply))
                            {
                                _table.put({after, stored->revision});
                                return done({});
                            }
                            const auto* refused = std::get_if<Refused>(&reply);
                            if (refused == nullptr)
                                return done(Error{ErrorCode::Internal, "not an answer to a store"});
                            if (refused->error.code == ErrorCode::Conflict)
                                return done(conflict);
                            done(refused->error);
                        });
}

} // namespace octostore::accounts
