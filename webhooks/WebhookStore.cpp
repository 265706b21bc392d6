// SPDX-License-Identifier: MIT
#include "WebhookStore.h"

#include <octostore/http/Reason.h>
#include <octostore/plugin/StoredRecords.h>

#include <algorithm>
#include <utility>

namespace octostore::webhooks
{

namespace
{

using backend::Collection;
using Kind = backend::Condition::Kind;
using coordination::Refused;
using coordination::Reply;

constexpr const char* sealedWithAnother = "its secret was sealed with a key that is not here";

backend::Transaction& transactionOf(coordination::Request& request)
{
    return std::get<coordination::StoreRecords>(request.operation).transaction;
}

} // namespace

WebhookStore::WebhookStore(StoreParts parts)
    : _parts(std::move(parts)), _thread(std::make_shared<WorkThread>("webhook-store"))
{
    _thread->start();
}

void WebhookStore::stop()
{
    _thread->stop();
}

Result<void> WebhookStore::load()
{
    for (const Collection collection : {Collection::Meta, Collection::Cursor, Collection::Webhook})
    {
        const auto records = plugin::storedRecords(_parts.coordinator, _parts.clock, collection,
                                                   "the stored webhooks");
        if (!records)
            return records.error();
        for (const backend::Record& record : *records)
        {
            const auto* meta = std::get_if<backend::MetaRecord>(&record.value);
            if (meta != nullptr && record.key.name == "incarnation")
                _incarnation = meta->text;
            if (const auto* stored = std::get_if<backend::CursorRecord>(&record.value))
            {
                auto cursor = decodeCursor(stored->document);
                if (!cursor)
                    return cursor.error();
                _loadedCursors[record.key.name] = *std::move(cursor);
            }
            if (const auto* stored = std::get_if<backend::WebhookRecord>(&record.value))
                if (auto loaded = loadWebhook(record, stored->document); !loaded)
                    return loaded;
        }
    }
    return {};
}

Result<void> WebhookStore::loadWebhook(const backend::Record& record, const std::string& document)
{
    auto webhook = decode(document, _parts.box);
    if (!webhook)
        return webhook.error();
    // Nothing may go out unsigned because a key was forgotten.
    if (!webhook->sealedSecret.empty() && webhook->active)
    {
        webhook->active = false;
        webhook->disabledReason = sealedWithAnother;
        _unreadable.push_back(record.key.name);
    }
    MutexLock lock(_mutex);
    _known[record.key.name] = {std::make_shared<Webhook>(*std::move(webhook)), record.version};
    return {};
}

std::size_t WebhookStore::unreadable() const
{
    MutexLock lock(_mutex);
    return static_cast<std::size_t>(
        std::count_if(_known.begin(), _known.end(),
                      [](const auto& one) { return !one.second.webhook->sealedSecret.empty(); }));
}

Result<void> WebhookStore::canSeal(const Webhook& webhook) const
{
    if (webhook.secret.empty() || _parts.box.usable())
        return {};
    return Error{ErrorCode::Conflict,
                 "The key of the webhooks' secrets is missing; the log of the server names it."};
}

void WebhookStore::attach(Dispatcher& dispatcher)
{
    _dispatcher = &dispatcher;
    for (const WebhookPtr& webhook : all())
    {
        const auto cursor = _loadedCursors.find(webhook->id);
        dispatcher.put(webhook, cursor == _loadedCursors.end() ? Cursor() : cursor->second,
                       known(webhook->id).version);
    }
    _loadedCursors.clear();
    for (const std::string& id : std::exchange(_unreadable, {}))
        disable(find(id), sealedWithAnother);
}

WebhookStore::Known WebhookStore::known(const std::string& id) const
{
    MutexLock lock(_mutex);
    const auto found = _known.find(id);
    return found == _known.end() ? Known() : found->second;
}

WebhookPtr WebhookStore::find(const std::string& id) const
{
    return known(id).webhook;
}

std::vector<WebhookPtr> WebhookStore::all() const
{
    std::vector<WebhookPtr> webhooks;
    {
        MutexLock lock(_mutex);
        for (const auto& [id, known] : _known)
            webhooks.push_back(known.webhook);
    }
    std::stable_sort(webhooks.begin(), webhooks.end(),
                     [](const auto& a, const auto& b) { return a->createdAt < b->createdAt; });
    return webhooks;
}

void WebhookStore::add(const WebhookPtr& webhook, Revision version, const Cursor& cursor)
{
    // The dispatcher first: only who finds it here can remove it.
    if (_dispatcher != nullptr)
        _dispatcher->put(webhook, cursor, version);
    MutexLock lock(_mutex);
    _known[webhook->id] = {webhook, version};
}

void WebhookStore::take(const WebhookPtr& webhook, Revision version)
{
    {
        MutexLock lock(_mutex);
        const auto found = _known.find(webhook->id);
        if (found == _known.end() || version < found->second.version)
            return;
        found->second = {webhook, version};
    }
    if (_dispatcher != nullptr)
        _dispatcher->change(webhook, version);
}

coordination::Request WebhookStore::request(const std::string& id, event::Type type,
                                            event::Actor actor, std::string reason) const
{
    event::Draft draft;
    draft.type = type;
    draft.facts = {type};
    draft.time = _parts.clock.wallTime();
    draft.kind = event::ResourceKind::Webhook;
    draft.name = id;
    draft.reason = std::move(reason);
    draft.actor = std::move(actor);
    coordination::StoreRecords store;
    store.transaction.event = std::move(draft);
    coordination::Request request;
    request.operation = std::move(store);
    request.arrived = _parts.clock.bootTime();
    return request;
}

Result<coordination::Request> WebhookStore::asked(const http::ExchangePtr& exchange,
                                                  const std::string& id, event::Type type) const
{
    Result<std::string> reason = http::reasonOfAct(*exchange);
    if (!reason)
        return reason.error();
    const http::Identity& caller = exchange->caller();
    const auto kind =
        caller.role == http::Role::Admin ? event::ActorKind::Admin : event::ActorKind::User;
    coordination::Request asked = request(id, type, {kind, caller.name}, *std::move(reason));
    asked.id = exchange->id();
    asked.arrived = exchange->request().arrived;
    transactionOf(asked).event->request = exchange->id();
    return asked;
}

bool WebhookStore::beginMaking(const PrincipalId& owner, std::size_t most)
{
    MutexLock lock(_mutex);
    const auto own =
        std::count_if(_known.begin(), _known.end(),
                      [&owner](const auto& one) { return one.second.webhook->owner == owner; }) +
        std::count(_making.begin(), _making.end(), owner);
    if (static_cast<std::size_t>(own) >= most)
        return false;
    _making.push_back(owner);
    return true;
}

void WebhookStore::endMaking(const PrincipalId& owner)
{
    MutexLock lock(_mutex);
    _making.erase(std::find(_making.begin(), _making.end(), owner));
}

void WebhookStore::create(const http::ExchangePtr& exchange, Webhook webhook, std::size_t most,
                          Done done)
{
    if (auto sealable = canSeal(webhook); !sealable)
        return done(sealable);
    Result<coordination::Request> asking = asked(exchange, webhook.id, event::Type::WebhookCreated);
    if (!asking)
        return done(asking.error());
    if (!beginMaking(webhook.owner, most))
        return done(
            Error{ErrorCode::InvalidInput, "You have as many webhooks as an account may have (" +
                                               std::to_string(most) + ")."});
    Cursor cursor;
    cursor.low = _parts.journal.newest();
    backend::Transaction& transaction = transactionOf(*asking);
    transaction.conditions = {{{Collection::Webhook, webhook.id}, Kind::Absent, {}}};
    transaction.puts = {{{Collection::Webhook, webhook.id},
                         backend::WebhookRecord{encode(webhook, _parts.box, _parts.random)}},
                        {{Collection::Cursor, webhook.id}, backend::CursorRecord{encode(cursor)}}};
    auto made = std::make_shared<const Webhook>(std::move(webhook));
    submit(
        exchange, *std::move(asking),
        [this, made, cursor](Revision version) { add(made, version, cursor); },
        [this, owner = made->owner, done = std::move(done)](const Result<void>& created)
        {
            endMaking(owner);
            done(created);
        });
}

void WebhookStore::change(const http::ExchangePtr& exchange, const WebhookPtr& before,
                          Webhook after, Done done)
{
    if (auto sealable = canSeal(after); !sealable)
        return done(sealable);
    const Known now = known(after.id);
    if (now.webhook == nullptr)
        return done(Error{ErrorCode::NotFound, "There is no such webhook."});
    // What somebody else has changed meanwhile is not to be undone.
    if (now.webhook != before)
        return done(Error{ErrorCode::Conflict, "It was changed meanwhile."});
    Result<coordination::Request> asking = asked(exchange, after.id, event::Type::WebhookChanged);
    if (!asking)
        return done(asking.error());
    backend::Transaction& transaction = transactionOf(*asking);
    transaction.conditions = {{{Collection::Webhook, after.id}, Kind::AtVersion, now.version}};
    transaction.puts = {{{Collection::Webhook, after.id},
                         backend::WebhookRecord{encode(after, _parts.box, _parts.random)}}};
    auto made = std::make_shared<const Webhook>(std::move(after));
    submit(
        exchange, *std::move(asking), [this, made](Revision stored) { take(made, stored); },
        std::move(done));
}

void WebhookStore::remove(const http::ExchangePtr& exchange, const WebhookPtr& webhook, Done done)
{
    Result<coordination::Request> asking =
        asked(exchange, webhook->id, event::Type::WebhookRemoved);
    if (!asking)
        return done(asking.error());
    backend::Transaction& transaction = transactionOf(*asking);
    transaction.conditions = {{{Collection::Webhook, webhook->id}, Kind::Present, {}}};
    transaction.erasures = {{Collection::Webhook, webhook->id}, {Collection::Cursor, webhook->id}};
    submit(
        exchange, *std::move(asking),
        [this, id = webhook->id](Revision)
        {
            {
                MutexLock lock(_mutex);
                _known.erase(id);
            }
            if (_dispatcher != nullptr)
                _dispatcher->remove(id);
        },
        std::move(done));
}

void WebhookStore::submit(const http::ExchangePtr& exchange, coordination::Request request,
                          std::function<void(Revision)> stored, Done done)
{
    _parts.coordinator.submit(
        std::move(request), exchange->executor(),
        [stored = std::move(stored), done = std::move(done)](const Reply& reply)
        {
            if (const auto* written = std::get_if<coordination::Stored>(&reply))
            {
                stored(written->revision);
                return done({});
            }
            const auto* refused = std::get_if<Refused>(&reply);
            done(refused != nullptr ? refused->error
                                    : Error{ErrorCode::Internal, "not an answer to a store"});
        });
}

void WebhookStore::saveCursor(const std::string& webhook, std::string document,
                              std::function<void(bool)> done)
{
    coordination::StoreRecords store;
    store.priority = Priority::Housekeeping;
    store.transaction.conditions = {{{Collection::Webhook, webhook}, Kind::Present, {}}};
    store.transaction.puts = {
        {{Collection::Cursor, webhook}, backend::CursorRecord{std::move(document)}}};
    coordination::Request request;
    request.operation = std::move(store);
    request.arrived = _parts.clock.bootTime();
    _parts.coordinator.submit(std::move(request), _thread,
                              [done = std::move(done)](const Reply& reply)
                              { done(std::holds_alternative<coordination::Stored>(reply)); });
}

/// The dispatcher may not know yet how it was changed: only what is known here is stored.
void WebhookStore::disable(const WebhookPtr& webhook, std::string reason)
{
    const std::string& id = webhook->id;
    const Known now = known(id);
    if (now.webhook == nullptr)
        return;
    if (now.webhook->url.text() != webhook->url.text())
        return remind(id); // somebody else said it
    Webhook after = *now.webhook;
    after.active = false;
    after.disabledReason = reason;
    coordination::Request asking = request(id, event::Type::WebhookDisabled, {}, std::move(reason));
    backend::Transaction& transaction = transactionOf(asking);
    transaction.conditions = {{{Collection::Webhook, id}, Kind::AtVersion, now.version}};
    transaction.puts = {{{Collection::Webhook, id},
                         backend::WebhookRecord{encode(after, _parts.box, _parts.random)}}};
    auto made = std::make_shared<const Webhook>(std::move(after));
    _parts.coordinator.submit(std::move(asking), _thread,
                              [this, made](const Reply& reply)
                              {
                                  if (const auto* stored =
                                          std::get_if<coordination::Stored>(&reply))
                                      take(made, stored->revision);
                                  else
                                      remind(made->id);
                              });
}

void WebhookStore::remind(const std::string& id)
{
    _thread->post({[this, id]
                   {
                       if (const Known now = known(id); now.webhook && _dispatcher)
                           _dispatcher->change(now.webhook, now.version);
                   }});
}

void WebhookStore::report(const WebhookPtr& webhook, event::Type type, std::string reason)
{
    _parts.coordinator.submit(request(webhook->id, type, {}, std::move(reason)), _thread,
                              [](const Reply&) {});
}

} // namespace octostore::webhooks
