// SPDX-License-Identifier: MIT
/// @file
/// Watches that what is over ends, and that who waits is served, in time (G5).
#pragma once

#include "World.h"

#include <octostore/backend/Record.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace octostore::simulation
{

/// How much time there is beyond what is promised: what a run's troubles may cost.
struct Leniency
{
    Duration afterTrouble{0}; ///< once it is over
    Duration commit{0};       ///< how long one may take
    Duration feed{0};         ///< how late a server may hear of what others did
    Duration serving{0};      ///< from free to served
};

/// Reads lease records as they are committed. Thread-safety: thread-compatible.
class TimeJudge
{
public:
    TimeJudge(World& world, Leniency leniency) : _world(world), _leniency(leniency) {}

    /// `clock` must outlive this object.
    void serverStarted(std::uint64_t server, const SkewedClock& clock);
    void serverCrashed(std::uint64_t server) { _servers.erase(server); }
    /// Commits or messages may not get through before `until`.
    void trouble(BootTime until) { _trouble = std::max(_trouble, until); }

    void changed(const backend::Record& record);
    /// The store is another one now, with these records; all that is in it begins anew.
    void restored(const std::vector<backend::Record>& records);
    void waits(const std::string& name, std::uint64_t server, std::uint64_t ticket, BootTime until);
    void waitsNoMore(const std::string& name, std::uint64_t server, std::uint64_t ticket);
    void forgetWaiters(std::uint64_t server);
    /// After every step.
    void look();

    const std::string& verdict() const noexcept { return _verdict; }

private:
    struct Server
    {
        const SkewedClock* clock;
        BootTime since;
    };
    struct Wait
    {
        BootTime since;
        BootTime until;
    };
    struct Name
    {
        std::optional<backend::LeaseRecord> lease;
        BootTime writtenAt;
        std::optional<std::uint64_t> writer; ///< nothing: its deadline is nobody's
        bool reported = false;               ///< counted already
        std::map<std::pair<std::uint64_t, std::uint64_t>, Wait> waits;
    };

    bool writerIsUp(const Name& name) const;
    BootTime deadlineOf(const Name& name) const;
    std::optional<BootTime> overBy(const Name& name) const;
    void lookAt(const std::string& key, Name& name);
    void broken(const std::string& what);

    World& _world;
    const Leniency _leniency;
    BootTime _trouble;
    std::map<std::uint64_t, Server> _servers; ///< that are up
    std::map<std::string, Name> _names;
    std::string _verdict;
};

} // namespace octostore::simulation
