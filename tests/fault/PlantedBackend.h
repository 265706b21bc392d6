// SPDX-License-Identifier: MIT
/// @file
/// A backend that breaks the contract in one way.
#pragma once

#include <octostore/backend/Backend.h>

#include <atomic>
#include <map>
#include <utility>

namespace octostore::test
{

enum class Planted
{
    None,
    TermReused,          ///< every second commit is reported with the revision of the one before
    FailedAndThere,      ///< one commit is reported as failed
    HalfThere,           ///< one record is lost
    EventSkipped,        ///< one event is missing
    EventsOutOfOrder,    ///< two events are swapped
    AcknowledgedTooSoon, ///< transactions are answered and never committed
    StaleAnswer,         ///< a read gives what the first read gave
};

/// Lets everything through to `behind` but what is planted. Thread-safety: as the backend behind.
class PlantedBackend final : public backend::Backend, private backend::BackendListener
{
public:
    /// `behind` must outlive it.
    PlantedBackend(backend::Backend& behind, Planted planted) : _behind(behind), _planted(planted)
    {
    }

    backend::Traits traits() const noexcept override { return _behind.traits(); }
    Result<Revision> load(const backend::RecordSink& sink) noexcept override;
    Result<void> start(backend::BackendListener& listener) noexcept override;
    void commit(std::vector<backend::Transaction> batch) noexcept override;
    void read(backend::ReadId request, std::vector<backend::Key> keys) noexcept override
    {
        _behind.read(request, std::move(keys));
    }
    void sync(backend::ReadId request) noexcept override { _behind.sync(request); }
    Result<std::vector<event::Event>> events(Sequence after, std::size_t limit) noexcept override;
    Result<void> trimEvents(Sequence upTo) noexcept override { return _behind.trimEvents(upTo); }
    void stop() noexcept override { _behind.stop(); }
    std::uint64_t sizeBytes() const noexcept override { return _behind.sizeBytes(); }

private:
    void outcomes(std::vector<backend::Outcome> batch) noexcept override;
    void changes(std::vector<backend::Record> batch, Revision upTo) noexcept override
    {
        _listener->changes(std::move(batch), upTo);
    }
    void records(backend::ReadId request,
                 Result<std::vector<backend::Record>> found) noexcept override;
    void caughtUp(backend::ReadId request, Result<Revision> upTo) noexcept override
    {
        _listener->caughtUp(request, std::move(upTo));
    }
    void lost(Error reason) noexcept override { _listener->lost(std::move(reason)); }

    backend::Backend& _behind;
    const Planted _planted;
    backend::BackendListener* _listener = nullptr;
    std::uint64_t _invented = 1'000'000;
    std::map<backend::Key, backend::Record> _firstRead;
};

} // namespace octostore::test
