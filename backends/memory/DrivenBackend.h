// SPDX-License-Identifier: MIT
/// @file
/// A server's view of a MemoryStore for simulations: no thread, and whatever can befall a commit.
#pragma once

#include "MemoryStore.h"

#include <octostore/backend/Backend.h>
#include <octostore/base/Time.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace octostore::memory
{

/// What befalls a transaction.
enum class Fate : std::uint8_t
{
    Done,
    Conflict,    ///< reported though nothing was in the way
    Unavailable, ///< not done, and reported so
    LostAnswer,  ///< done, and reported as unknown
    LostRequest, ///< not done, and reported as unknown
    Late,        ///< reported as unknown, and tried later still
};

/// Decides what befalls the messages between a server and the store.
class Fates
{
public:
    virtual ~Fates();
    virtual Fate ofCommit() = 0;
    /// How long the next message takes; of a commit each way.
    virtual BootClock::duration delay() = 0;
    /// How much later than reported something late is tried.
    virtual BootClock::duration lateness() = 0;
    /// How long the feed says nothing.
    virtual BootClock::duration lag() = 0;
    virtual bool reachable() = 0;
    /// Of `written` transactions that were not yet synchronised when the server crashed: how many
    /// are found later (exclusive stores).
    virtual std::size_t surviving(std::size_t written) = 0;
    /// Something was tried late; `done`: its conditions still held.
    virtual void triedLate(bool done) = 0;
};

/// Works in run() only, on the time of `clock`, so a run is the same whenever it is repeated.
/// Exclusive: everything gathered since the last commit is written, and applied and reported once
/// it is synchronised. Shared: each transaction is a message of its own, in order.
/// Thread-safety: thread-compatible. References must outlive this object.
class DrivenBackend final : public backend::Backend
{
public:
    DrivenBackend(std::shared_ptr<MemoryStore> store, const Clock& clock, Fates& fates);

    /// Does what is due by now.
    void run();
    /// When something is due.
    std::optional<BootTime> next() const;
    /// Exclusive: how many transactions are being synchronised, and how many wait for that.
    std::size_t written() const noexcept { return _written.size(); }
    std::size_t gathered() const noexcept { return _gathered.size(); }
    /// The server is gone: nothing is reported any more. What was written but not synchronised may
    /// survive in part; what is on its way to a shared store arrives, so go on calling run().
    void crash();

    backend::Traits traits() const noexcept override;
    Result<Revision> load(const backend::RecordSink& sink) noexcept override;
    Result<void> start(backend::BackendListener& listener) noexcept override;
    void commit(std::vector<backend::Transaction> batch) noexcept override;
    void read(backend::ReadId request, std::vector<backend::Key> keys) noexcept override;
    void sync(backend::ReadId request) noexcept override;
    Result<std::vector<event::Event>> events(Sequence after, std::size_t limit) noexcept override;
    Result<void> trimEvents(Sequence upTo) noexcept override;
    void stop() noexcept override;
    std::uint64_t sizeBytes() const noexcept override { return 0; }

private:
    using Action = std::function<void()>;

    void after(BootClock::duration time, Action action);
    void report(backend::Outcome outcome);
    void fail(backend::TransactionId id, ErrorCode code);
    void send(backend::Transaction transaction);
    void arrive(backend::Transaction transaction, Fate fate);
    void synchronise();
    void synchronised(bool works);
    void feed();
    void feedAgain();

    const std::shared_ptr<MemoryStore> _store;
    const Clock& _clock;
    Fates& _fates;
    backend::BackendListener* _listener = nullptr; ///< null: before start(), after a crash
    std::map<std::pair<BootTime, std::uint64_t>, Action> _actions;
    std::uint64_t _lastAction = 0;
    BootTime _lastArrival;                       ///< messages to a shared store keep their order
    std::vector<backend::Transaction> _gathered; ///< exclusive: for the next batch
    std::vector<backend::Transaction> _written;  ///< exclusive: being synchronised
    Revision _fed;
};

} // namespace octostore::memory
