// SPDX-License-Identifier: MIT
#include "BackupRoutes.h"

#include <octostore/base/Digest.h>
#include <octostore/http/Reason.h>

#include <array>
#include <utility>

namespace octostore::admin_api
{

using http::ExchangePtr;

/// From the request to the last byte; held by whoever works on it.
struct BackupRoutes::Backup
{
    ExchangePtr exchange;
    std::shared_ptr<Executor> executor;
    std::string reason;
    std::string file;
    BackupJob job;
    std::shared_ptr<http::Stream> stream;
};

namespace
{

/// The body may be missing, and with it the reason.
Result<std::string> optionalReason(const std::string& body)
{
    if (body.empty())
        return std::string();
    const auto object = readJson(body);
    if (!object)
        return object.error();
    return http::readOptionalReason(*object);
}

http::Response headOf(const BackupJob& job, Revision revision)
{
    http::Response head;
    head.headers.add("content-type", "application/vnd.sqlite3");
    head.headers.add("content-disposition", "attachment; filename=\"octostore-" +
                                                std::to_string(revision.value()) + ".db\"");
    head.headers.add("cache-control", "no-store");
    // What is cut off must not look whole.
    head.headers.add("content-length", std::to_string(job.size()));
    head.headers.add("x-octostore-bytes", std::to_string(job.size()));
    head.headers.add("x-octostore-sha256", job.digest());
    return head;
}

} // namespace

std::vector<http::Route> BackupRoutes::routes()
{
    return {{http::Method::Post, "/admin/backup", http::Access::Admin, http::Body::Ignored, false,
             [this](const ExchangePtr& exchange) { begin(exchange); }}};
}

void BackupRoutes::start()
{
    removeLeftSnapshots(_around.database);
    _thread.start();
}

void BackupRoutes::drain()
{
    BackupPtr current;
    {
        MutexLock lock(_mutex);
        _draining = true;
        current = _current.lock();
    }
    if (current)
        current->job.cancel();
}

void BackupRoutes::stop()
{
    drain();
    _thread.stop();
}

bool BackupRoutes::enter(const BackupPtr& backup)
{
    MutexLock lock(_mutex);
    if (!_current.expired())
        return false;
    _current = backup;
    if (_draining)
        backup->job.cancel();
    return true;
}

std::string BackupRoutes::freshFile() const
{
    return _around.database + ".snapshot-" + toHex(_around.random.bytes<16>());
}

void BackupRoutes::begin(const ExchangePtr& exchange)
{
    Result<std::string> reason = optionalReason(exchange->request().body);
    if (!reason)
        return exchange->respond(reason.error());
    if (_around.backend == nullptr)
        return exchange->respond(Error{ErrorCode::NotFound, "There is no store to copy."});
    const auto backup = std::make_shared<Backup>();
    backup->exchange = exchange;
    backup->executor = exchange->executor();
    backup->reason = *std::move(reason);
    backup->file = freshFile();
    if (!enter(backup))
        return exchange->respond(
            Error{ErrorCode::Conflict, "A backup is under way; wait for its end."});
    exchange->onAbandoned(
        [watched = std::weak_ptr<Backup>(backup)]
        {
            if (const BackupPtr abandoned = watched.lock())
                abandoned->job.cancel();
        });
    _thread.post({[this, backup] { snapshot(backup); }});
}

/// On our thread.
void BackupRoutes::snapshot(const BackupPtr& backup)
{
    const Result<void> taken = backup->job.take(*_around.backend, backup->file);
    if (!taken)
        _around.logger.warning("a backup failed", {{"reason", taken.error().message}});
    backup->executor->post({[this, backup, taken]
                            {
                                if (!taken)
                                    return backup->exchange->respond(taken.error());
                                record(backup);
                            }});
}

/// On the exchange's thread: nobody gets a copy that the journal does not know of.
void BackupRoutes::record(const BackupPtr& backup)
{
    coordination::StoreRecords store;
    event::Draft draft;
    draft.type = event::Type::BackupTaken;
    draft.facts = {draft.type};
    draft.time = _around.clock.wallTime();
    draft.kind = event::ResourceKind::Backup;
    draft.name = backup->job.digest();
    draft.reason = backup->reason;
    draft.actor = {event::ActorKind::Admin, backup->exchange->caller().name};
    draft.request = backup->exchange->id();
    store.transaction.event = std::move(draft);
    coordination::Request request = requestOf(*backup->exchange, "", std::move(store));
    request.arrived = _around.clock.bootTime();
    ask(_around, backup->exchange, std::move(request),
        [this, backup](const coordination::Reply& reply)
        {
            const auto* stored = std::get_if<coordination::Stored>(&reply);
            if (stored == nullptr)
                return backup->exchange->respond(Error{ErrorCode::Internal, "nothing was stored"});
            backup->stream =
                backup->exchange->respondWithStream(headOf(backup->job, stored->revision));
            if (backup->stream)
                _thread.post({[this, backup] { send(backup); }});
        });
}

/// On our thread.
void BackupRoutes::send(const BackupPtr& backup)
{
    if (!backup->job.send(*backup->stream))
        _around.logger.warning("a backup was cut off before its client had all of it",
                               {{"request_id", toWire(backup->exchange->id())}});
}

} // namespace octostore::admin_api
