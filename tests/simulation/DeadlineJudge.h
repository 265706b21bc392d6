// SPDX-License-Identifier: MIT
/// @file
/// Watches that no lease ends by time before its holder has to expect it (G4).
#pragma once

#include "World.h"

#include <octostore/backend/Record.h>
#include <octostore/base/Id.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace octostore::simulation
{

/// Reads lease records as they are committed, and hears what holders were told and asked for.
/// All times are the world's. Thread-safety: thread-compatible.
class DeadlineJudge
{
public:
    explicit DeadlineJudge(World& world) : _world(world) {}

    /// What records mean that name that clock, which must outlive this object.
    void knowClock(const std::string& name, const SkewedClock& clock) { _clocks[name] = &clock; }

    void granted(const std::string& name, Term term);
    /// A request of its holder to have it for `ttl` from now on has reached some server.
    void renewArrives(const std::string& name, Term term, Milliseconds ttl);
    /// In the order of the revisions, each grant behind granted().
    void changed(const backend::Record& record);
    /// Who asked at `asked` was told `deadline`. False: no such lease was ever granted.
    bool told(const std::string& name, Term term, BootTime asked, BootTime deadline);
    void endedByTime(const std::string& name, Term term);

    /// A copy of the store was made just now.
    void copied() { _copy = _grants; }
    /// That copy, with these records, took its place: what was held in it lasts once more as long
    /// as the copy says.
    void restored(const std::vector<backend::Record>& records);

    const std::string& verdict() const noexcept { return _verdict; }

private:
    /// From `since` on the lease ends at `deadline` for all that was told before.
    struct Shorter
    {
        BootTime since;
        BootTime deadline;
    };
    struct Grant
    {
        BootTime promised;                        ///< the earliest end
        BootTime latest;                          ///< deadline that was ever told
        std::optional<BootTime> ended;            ///< by time
        Milliseconds ttl{0};                      ///< as recorded last
        std::map<Milliseconds, BootTime> renewed; ///< TTL -> when a renew for it arrived first
        std::vector<Shorter> shorter;
    };
    using Lease = std::pair<std::string, Term>;

    bool isAskedFor(const Grant& grant, Milliseconds ttl, BootTime deadline) const;
    void shorten(Grant& grant, BootTime deadline);
    void broken(const std::string& what);

    World& _world;
    std::map<std::string, const SkewedClock*> _clocks;
    std::map<Lease, Grant> _grants;
    std::map<Lease, Grant> _copy; ///< what _grants was when the store was copied
    std::string _verdict;
};

} // namespace octostore::simulation
