// SPDX-License-Identifier: MIT
#include "coordination/EngineState.h"

#include <octostore/backend/Codec.h>

#include <algorithm>
#include <utility>

namespace octostore::coordination
{

namespace
{

bool isForeign(backend::Collection collection)
{
    switch (collection)
    {
    case backend::Collection::Principal:
    case backend::Collection::Webhook:
    case backend::Collection::Cursor:
    case backend::Collection::Meta:
        return true;
    case backend::Collection::Lease:
    case backend::Collection::Acl:
    case backend::Collection::Session:
        break;
    }
    return false;
}

} // namespace

void Engine::State::store(Ticket ticket, Request request)
{
    auto& [transaction, priority] = std::get<StoreRecords>(request.operation);
    InFlight work;
    work.work = Work::Store;
    work.asked.ticket = ticket;
    work.stored = transaction.puts;
    work.erased = transaction.erasures;
    for (const backend::Put& put : work.stored)
        OCTOSTORE_ASSERT(isForeign(put.key.collection));
    for (const backend::Key& key : work.erased)
        OCTOSTORE_ASSERT(isForeign(key.collection));
    if (!_sharing)
    {
        send(std::move(work), std::move(transaction), priority);
        return;
    }
    const backend::Key key = work.stored.empty() ? work.erased.at(0) : work.stored[0].key;
    const auto known = _records.find(key);
    work.base = known == _records.end() ? Revision() : known->second.version;
    transaction.priority = priority;
    work.sent = std::make_unique<backend::Transaction>(std::move(transaction));
    repeatStore(std::move(work));
}

void Engine::State::stored(InFlight work, const backend::Committed& commit, Now now)
{
    publish(work, commit.revision);
    for (backend::Put& put : work.stored)
    {
        const auto found = _records.find(put.key);
        const Revision known = found == _records.end() ? Revision() : found->second.version;
        if (commit.revision <= knownVersion(put.key, known))
            continue; // the feed knows better
        backend::stamp(put.value, commit.revision);
        _records[put.key] = {put.key, std::move(put.value), commit.revision};
    }
    for (const backend::Key& key : work.erased)
    {
        if (_sharing)
            learn({key, {}, commit.revision}, now);
        else
            _records.erase(key);
    }
    reply(work.asked.ticket, Stored{commit.revision});
}

} // namespace octostore::coordination
