// SPDX-License-Identifier: MIT
/// @file
/// What other threads tell the engine thread.
#pragma once

#include "coordination/Rules.h"

#include <octostore/backend/Backend.h>
#include <octostore/base/Mutex.h>
#include <octostore/base/Time.h>
#include <octostore/coordination/Coordinator.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace octostore::coordination
{

/// Requests that may be on their way at once; the last part is for what keeps a lease.
constexpr std::size_t requestsMax = 65'536;
constexpr std::size_t requestsReservedForKeeping = 8'192;

/// Thread-safety: thread-safe; wait() and take() belong to the engine thread. Never blocks but in
/// wait().
class Mailbox final : public backend::BackendListener
{
public:
    struct Letter
    {
        Ticket ticket;
        Request request;
        std::shared_ptr<Executor> executor;
        Coordinator::Continuation done;
    };

    /// Of a shared store, in the order of the reports.
    struct Feed
    {
        std::vector<backend::Record> records;
        Revision upTo;
    };

    struct Content
    {
        std::vector<Letter> letters;
        std::vector<Ticket> abandoned;
        std::vector<backend::Outcome> outcomes;
        std::vector<Feed> changes;
        std::vector<std::pair<backend::ReadId, Result<Revision>>> caughtUp;
        std::vector<event::Event> events; ///< read from the journal of a shared store
        std::optional<Limits> limits;
        bool drain = false; ///< since the last take
        bool closed = false;
    };

    explicit Mailbox(std::function<void(Error)> lost);
    ~Mailbox() override;

    Ticket submit(Request request, std::shared_ptr<Executor> executor,
                  Coordinator::Continuation done) noexcept OCTOSTORE_EXCLUDES(_mutex);
    void abandon(Ticket ticket) noexcept OCTOSTORE_EXCLUDES(_mutex);
    void drain() noexcept OCTOSTORE_EXCLUDES(_mutex);
    void setLimits(Limits limits) noexcept OCTOSTORE_EXCLUDES(_mutex);
    /// From now on every request is answered Draining.
    void refuseRequests() noexcept OCTOSTORE_EXCLUDES(_mutex);
    void events(std::vector<event::Event> read) noexcept OCTOSTORE_EXCLUDES(_mutex);
    void close() noexcept OCTOSTORE_EXCLUDES(_mutex);

    /// Until there is something to take or CLOCK_BOOTTIME reaches `deadline`.
    void wait(BootTime deadline) noexcept;
    Content take() OCTOSTORE_EXCLUDES(_mutex);
    void answered(std::size_t count) noexcept { _open.fetch_sub(count); }

    void outcomes(std::vector<backend::Outcome> batch) noexcept override OCTOSTORE_EXCLUDES(_mutex);
    void changes(std::vector<backend::Record> batch, Revision upTo) noexcept override
        OCTOSTORE_EXCLUDES(_mutex);
    void records(backend::ReadId request,
                 Result<std::vector<backend::Record>> found) noexcept override;
    void caughtUp(backend::ReadId request, Result<Revision> upTo) noexcept override
        OCTOSTORE_EXCLUDES(_mutex);
    void lost(Error reason) noexcept override;

private:
    void wake() noexcept;

    const std::function<void(Error)> _lost;
    int _event = -1;
    int _timer = -1;
    BootTime _armed = BootTime::max(); // the engine thread's own
    std::atomic<std::uint64_t> _lastTicket{0};
    std::atomic<std::size_t> _open{0};
    std::atomic<bool> _wasLost{false};

    Mutex _mutex;
    Content _content OCTOSTORE_GUARDED_BY(_mutex);
    bool _awake OCTOSTORE_GUARDED_BY(_mutex) = false; ///< the eventfd is set already
    bool _refusing OCTOSTORE_GUARDED_BY(_mutex) = false;
};

} // namespace octostore::coordination
