// SPDX-License-Identifier: MIT
/// @file
/// Webhooks and their cursors in the store, through the engine.
#pragma once

#include "Dispatcher.h"
#include "SecretBox.h"
#include "WebhookCodec.h"

#include <octostore/base/Log.h>
#include <octostore/base/Mutex.h>
#include <octostore/base/WorkThread.h>
#include <octostore/coordination/Coordinator.h>
#include <octostore/event/Journal.h>
#include <octostore/http/Exchange.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace octostore::webhooks
{

/// What the store works with; all must outlive it.
struct StoreParts
{
    coordination::Coordinator& coordinator;
    const Clock& clock;
    Random& random;
    event::Journal& journal;
    const SecretBox& box;
    Logger logger;
};

/// What is known is changed only by what was committed, and the dispatcher is told of it.
/// Thread-safety: thread-safe.
class WebhookStore final : public DispatcherRecords
{
public:
    using Done = std::function<void(Result<void>)>;

    explicit WebhookStore(StoreParts parts);

    /// Reads everything; waits for the engine. Whose secret cannot be opened is inactive from then
    /// on. Errors: Unavailable, Corrupt.
    Result<void> load();
    /// Gives the dispatcher what was loaded, and from now on every change.
    void attach(Dispatcher& dispatcher);
    void stop();
    /// How many webhooks have a secret that the key here does not open.
    std::size_t unreadable() const OCTOSTORE_EXCLUDES(_mutex);
    /// Of the store; part of every webhook-id.
    const std::string& incarnation() const noexcept { return _incarnation; }

    WebhookPtr find(const std::string& id) const OCTOSTORE_EXCLUDES(_mutex);
    /// In the order in which they were made.
    std::vector<WebhookPtr> all() const OCTOSTORE_EXCLUDES(_mutex);

    // `done` runs on the exchange's thread. Errors: Conflict when it was changed meanwhile; those
    // of the engine; InvalidInput when an administrator's reason is none.
    /// `most`: how many its owner may have, those that are being made included. Also InvalidInput.
    void create(const http::ExchangePtr& exchange, Webhook webhook, std::size_t most, Done done);
    /// `after` was made of `before`.
    void change(const http::ExchangePtr& exchange, const WebhookPtr& before, Webhook after,
                Done done);
    void remove(const http::ExchangePtr& exchange, const WebhookPtr& webhook, Done done);

    void saveCursor(const std::string& webhook, std::string document,
                    std::function<void(bool)> done) override;
    void disable(const WebhookPtr& webhook, std::string reason) override;
    void report(const WebhookPtr& webhook, event::Type type, std::string reason) override;

private:
    struct Known
    {
        WebhookPtr webhook;
        Revision version;
    };
    Result<void> loadWebhook(const backend::Record& record, const std::string& document)
        OCTOSTORE_EXCLUDES(_mutex);
    /// An error when there is no key to seal the secret of `webhook` with.
    Result<void> canSeal(const Webhook& webhook) const;
    coordination::Request request(const std::string& id, event::Type type, event::Actor actor,
                                  std::string reason) const;
    /// Errors: InvalidInput when the reason an administrator gives is none.
    Result<coordination::Request> asked(const http::ExchangePtr& exchange, const std::string& id,
                                        event::Type type) const;
    /// As it is now; no webhook: there is none.
    Known known(const std::string& id) const OCTOSTORE_EXCLUDES(_mutex);
    /// Gives the dispatcher what is known, as if it were new; from any thread.
    void remind(const std::string& id);
    void add(const WebhookPtr& webhook, Revision version, const Cursor& cursor)
        OCTOSTORE_EXCLUDES(_mutex);
    /// What was removed meanwhile stays so: answers of two requests come on two threads.
    void take(const WebhookPtr& webhook, Revision version) OCTOSTORE_EXCLUDES(_mutex);
    /// False: the owner has as many.
    bool beginMaking(const PrincipalId& owner, std::size_t most) OCTOSTORE_EXCLUDES(_mutex);
    void endMaking(const PrincipalId& owner) OCTOSTORE_EXCLUDES(_mutex);
    void submit(const http::ExchangePtr& exchange, coordination::Request request,
                std::function<void(Revision)> stored, Done done);

    StoreParts _parts;
    const std::shared_ptr<WorkThread> _thread; ///< on which answers to the plugin itself arrive
    std::string _incarnation;
    std::map<std::string, Cursor> _loadedCursors; ///< until attach()
    std::vector<std::string> _unreadable;         ///< active in the store; until attach()
    Dispatcher* _dispatcher = nullptr;
    mutable Mutex _mutex;
    std::map<std::string, Known> _known OCTOSTORE_GUARDED_BY(_mutex);
    std::vector<PrincipalId> _making OCTOSTORE_GUARDED_BY(_mutex); ///< owners of what is not stored
};

} // namespace octostore::webhooks
