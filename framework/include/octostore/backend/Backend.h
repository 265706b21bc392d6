// SPDX-License-Identifier: MIT
/// @file
/// The contract of a durable, ordered, transactional record store.
#pragma once

#include <octostore/backend/Transaction.h>
#include <octostore/base/Api.h>
#include <octostore/base/Log.h>
#include <octostore/base/Time.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::config
{
class View;
}

namespace octostore::backend
{

/// Names a read() or sync(); chosen by the caller.
using ReadId = Number<struct ReadTag>;

struct Traits
{
    /// exclusive: this process is the only writer. shared: other servers write too.
    bool shared = false;
    /// Survives the process.
    bool durable = true;
};

/// Called on the backend's thread, never while it holds a lock; each call only appends to the
/// engine's mailbox.
class OCTOSTORE_API BackendListener
{
public:
    virtual ~BackendListener();
    /// Exactly one outcome per transaction, also at stop(). In the order of the commits.
    virtual void outcomes(std::vector<Outcome> batch) noexcept = 0;
    /// Shared stores only: the commits of every server, in order, and how far this goes now. Those
    /// of this server, too, whose outcomes were reported before: the engine passes them over.
    virtual void changes(std::vector<Record> batch, Revision upTo) noexcept = 0;
    virtual void records(ReadId request, Result<std::vector<Record>> found) noexcept = 0;
    virtual void caughtUp(ReadId request, Result<Revision> upTo) noexcept = 0;
    /// The store can never be used again by this process (damaged, replaced, moved); the server
    /// stops. May be called more than once.
    virtual void lost(Error reason) noexcept = 0;
};

using RecordSink = std::function<void(Record)>;

/// Stores records and the journal; interprets neither.
/// Thread-safety: thread-safe from start() on, unless a member says otherwise.
class OCTOSTORE_API Backend
{
public:
    virtual ~Backend();
    virtual Traits traits() const noexcept = 0;

    /// Gives every record to `sink` and returns the last revision. Before start(), on the caller's
    /// thread. Errors: Unavailable, Corrupt; the server does not start.
    virtual Result<Revision> load(const RecordSink& sink) noexcept = 0;
    /// Once, after load(). `listener` must outlive stop(). Errors: Unavailable, Corrupt; nothing
    /// runs, and the server does not start.
    virtual Result<void> start(BackendListener& listener) noexcept = 0;
    /// Never blocks; takes ownership. Transactions of one priority are committed in order; each
    /// gets exactly one outcome. After stop() it must do nothing: those who asked are told then
    /// that nothing has changed.
    virtual void commit(std::vector<Transaction> batch) noexcept = 0;
    /// Linearizable; answered by records(), with monostate for what is not there.
    virtual void read(ReadId request, std::vector<Key> keys) noexcept = 0;
    /// Answered by caughtUp() when every commit completed before the call has been reported.
    virtual void sync(ReadId request) noexcept = 0;
    /// Events with a sequence above `after`, in order, at most `limit`. Blocks: any thread but the
    /// engine's. Errors: Unavailable (ask again later), Corrupt.
    virtual Result<std::vector<event::Event>> events(Sequence after,
                                                     std::size_t limit) noexcept = 0;
    /// Forgets events up to and including `upTo`. Blocks like events(). Errors: Unavailable (they
    /// are still there; ask again later), Corrupt.
    virtual Result<void> trimEvents(Sequence upTo) noexcept = 0;
    /// Everything pending gets its outcome first; then no call of the listener follows.
    virtual void stop() noexcept = 0;

    /// Bytes of the main store file, 0 where there is none. Any thread.
    virtual std::uint64_t sizeBytes() const noexcept = 0;

    /// Optional: writes a copy of everything, as of one instant not before the call, to `file`,
    /// which must not exist yet. Commits go on meanwhile. Asks `cancelled` now and then. Blocks for
    /// as long as copying takes: any thread but the engine's; must have returned before stop().
    /// Errors: NotFound (this backend has no snapshots: back up its store itself), Draining (it was
    /// cancelled), Unavailable, Corrupt; whatever was written is removed.
    virtual Result<void> snapshot(const std::string& file,
                                  const std::function<bool()>& cancelled) noexcept;
};

/// How a store is made from a snapshot.
struct RestoreOrder
{
    std::string from;       ///< a file that snapshot() made
    bool replace = false;   ///< a store that is there is put aside, not refused
    std::uint64_t skip = 0; ///< by how much its last revision grows: nothing given out comes again
    std::vector<Put> puts;  ///< written into it, at its new last revision; no leases
    std::vector<Key> erasures;
};

struct RestoreReport
{
    Revision snapshot; ///< the last revision of the snapshot
    Revision restored; ///< the last revision of the new store
    std::string aside; ///< where the store went that was there; empty: none was
};

/// What a backend is made with. Everything must outlive it.
struct BackendContext
{
    const config::View& configuration;
    const Clock& clock;
    Logger logger;
};

/// Extension point: how a plugin offers a backend, found by `storage.backend`.
class OCTOSTORE_API BackendFactory
{
public:
    static constexpr std::string_view extensionPoint = "backend.factory/1";
    virtual ~BackendFactory();
    virtual std::string_view name() const noexcept = 0;
    /// Errors: Configuration, Unavailable (held by another server, cannot be opened durably),
    /// Corrupt; one line that says what and what to do.
    virtual Result<std::unique_ptr<Backend>> open(const BackendContext& context) noexcept = 0;
    /// Optional: makes the store that `context` names out of a snapshot. All or nothing: until it
    /// has succeeded nothing is where open() looks. No server may be using that store.
    /// Errors: Conflict (there is a store already), Unavailable (in use; a file cannot be read or
    /// written), Corrupt (the snapshot is damaged), Configuration (no snapshot of this program, or
    /// this backend is restored by other means).
    virtual Result<RestoreReport> restore(const BackendContext& context,
                                          const RestoreOrder& order) noexcept;
};

} // namespace octostore::backend
