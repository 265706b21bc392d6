// SPDX-License-Identifier: MIT
/// @file
/// Bugs on purpose, at the seams around the engine: a simulation that does not catch them proves
/// nothing.
#pragma once

#include <octostore/backend/Backend.h>

#include <memory>
#include <set>
#include <vector>

#include <MemoryStore.h>

namespace octostore::simulation
{

enum class Bug
{
    None,
    EarlyExpiry,       ///< the server's clock runs far too fast
    LateExpiry,        ///< nothing is done of its own accord until a moment later
    Shortened,         ///< a renewal is recorded for half the time that was asked for
    TermReused,        ///< the revision of a grant is that of the commit before
    WaiterOvertaken,   ///< who comes later is put in front
    ServerOvertaken,   ///< one server knows nothing of the turns of the others
    EventSkipped,      ///< one of the journal's events is not read
    EventsOutOfOrder,  ///< two of them are read in the wrong order
    StaleView,         ///< a sync is answered before the feed has caught up
    AcknowledgedEarly, ///< committed is said before it is durable
    GrantsAtOnce,      ///< a restored store grants although leases from before may be live
    TermsComeAgain,    ///< a restored store goes on counting where its copy ended
    TimeNotRenewed,    ///< leases of a restored store end when those of the copy would have
};

/// A backend with one of those bugs that are the backend's; passes everything else on.
/// Thread-safety: thread-compatible.
class PlantedBackend final : public backend::Backend, public backend::BackendListener
{
public:
    PlantedBackend(backend::Backend& real, const memory::MemoryStore& store, Bug bug)
        : _real(real), _store(store), _bug(bug)
    {
    }

    backend::Traits traits() const noexcept override { return _real.traits(); }
    Result<Revision> load(const backend::RecordSink& sink) noexcept override;
    Result<void> start(backend::BackendListener& listener) noexcept override;
    void commit(std::vector<backend::Transaction> batch) noexcept override;
    void read(backend::ReadId request, std::vector<backend::Key> keys) noexcept override
    {
        _real.read(request, std::move(keys));
    }
    void sync(backend::ReadId request) noexcept override;
    Result<std::vector<event::Event>> events(Sequence after, std::size_t limit) noexcept override;
    Result<void> trimEvents(Sequence upTo) noexcept override { return _real.trimEvents(upTo); }
    void stop() noexcept override { _real.stop(); }
    std::uint64_t sizeBytes() const noexcept override { return 0; }

    void outcomes(std::vector<backend::Outcome> batch) noexcept override;
    void changes(std::vector<backend::Record> batch, Revision upTo) noexcept override;
    void records(backend::ReadId request,
                 Result<std::vector<backend::Record>> found) noexcept override
    {
        _listener->records(request, std::move(found));
    }
    void caughtUp(backend::ReadId request, Result<Revision> upTo) noexcept override;
    void lost(Error reason) noexcept override { _listener->lost(std::move(reason)); }

private:
    backend::Backend& _real;
    const memory::MemoryStore& _store;
    const Bug _bug;
    std::set<backend::TransactionId> _grants; ///< Bug::TermReused
    backend::BackendListener* _listener = nullptr;
};

} // namespace octostore::simulation
