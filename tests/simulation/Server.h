// SPDX-License-Identifier: MIT
/// @file
/// One server of a run: the real engine on a driven backend, with a clock of its own.
#pragma once

#include "Judge.h"
#include "Planted.h"
#include "World.h"
#include "coordination/Engine.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <DrivenBackend.h>

namespace octostore::simulation
{

/// Can crash and start again. Thread-safety: thread-compatible.
class Server final : private backend::BackendListener
{
public:
    struct Parts
    {
        World& world;
        Judge& judge;
        memory::Fates& fates;
        std::shared_ptr<memory::MemoryStore> store;
    };
    /// What comes back: the answer, and how long the lease or session in it lasts from now on.
    using Done = std::function<void(coordination::Reply, Duration authority)>;

    Server(Parts parts, std::uint64_t id, double rate, Bug bug);

    void start();
    void crash();
    /// Exclusive: transactions that are being synchronised.
    std::size_t written() const noexcept { return _driven ? _driven->written() : 0; }
    /// Its clock, as records name it.
    std::string clockName() const { return "machine" + std::to_string(_id); }
    Now now() const { return _clock.now(); }
    double clockRate() const noexcept { return _clock.rate(); }
    bool isUp() const noexcept { return _engine != nullptr; }
    /// A request reaches the server; it is lost when the server is down.
    coordination::Ticket submit(coordination::Request request, Done done);
    /// Whoever asked has gone.
    void abandon(std::uint64_t run, coordination::Ticket ticket);
    /// How often it was started.
    std::uint64_t run() const noexcept { return _run; }
    std::size_t openRequests() const noexcept { return _asked.size(); }

private:
    struct Asked
    {
        std::string name;
        Truth then;
        Done done;
        bool waits = false;
        std::string waiter; ///< who waits, for its place
        std::string mark;   ///< of a record that is asked for
    };

    void outcomes(std::vector<backend::Outcome> batch) noexcept override;
    void changes(std::vector<backend::Record> batch, Revision upTo) noexcept override;
    void records(backend::ReadId, Result<std::vector<backend::Record>>) noexcept override {}
    void caughtUp(backend::ReadId request, Result<Revision> upTo) noexcept override;
    void lost(Error) noexcept override {}

    void seat(const coordination::Request& request, coordination::Ticket ticket, Asked& asked);
    void turn();
    void pump();
    void publish(Revision upTo);
    void answer(coordination::Ticket ticket, coordination::Reply reply);
    void wakeAt(std::optional<BootTime> due);
    void runBackend();
    Revision incarnation();
    void load(coordination::Limits limits);
    coordination::Sharing sharing();
    void stopLater();

    const Parts _parts;
    World& _world;
    const std::uint64_t _id;
    const Bug _bug;
    const SkewedClock _clock;
    std::uint64_t _run = 0;
    /// As the store keeps it: since when the clock is what it is; it counts anew when the store is
    /// restored.
    BootTime _recoveredAt;
    Revision _restoredBase;
    std::unique_ptr<coordination::Engine> _engine; ///< null: down
    std::unique_ptr<memory::DrivenBackend> _driven;
    std::unique_ptr<PlantedBackend> _backend;
    /// Of crashed runs: what they sent may still arrive.
    std::vector<std::unique_ptr<memory::DrivenBackend>> _remains;
    std::map<coordination::Ticket, Asked> _asked;
    std::map<std::pair<std::string, std::string>, BootTime> _left; ///< whose place may be kept
    /// Bug::WaiterOvertaken: kept until another request has come.
    std::optional<std::pair<coordination::Ticket, coordination::Request>> _heldBack;
    std::uint64_t _lastTicket = 0;
    Sequence _published;
    BootTime _armed = BootTime::max(); ///< the next wake, world time
    BootTime _backendArmed = BootTime::max();
};

} // namespace octostore::simulation
