// SPDX-License-Identifier: MIT
/// @file
/// Watches the order in which several servers serve who waits for a name (G6).
#pragma once

#include "World.h"

#include <octostore/backend/Record.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace octostore::simulation
{

/// Whether that record says on which servers somebody waits for a name.
bool isTurns(const backend::Key& key);

/// Reads the records of who waits where, as they are committed, and hears who was granted to by
/// whom. Thread-safety: thread-compatible.
class TurnJudge
{
public:
    /// `calm`: no server may miss its turn, and none may be passed over for more than two rounds.
    TurnJudge(World& world, bool calm) : _world(world), _calm(calm) {}

    void serverStarted(std::uint64_t server, const std::string& id) { _ids[server] = id; }
    void serverCrashed(std::uint64_t server);

    /// In the order of the revisions: a grant, and then what else was committed with it.
    void granted(const std::string& name, Revision revision);
    void changed(const backend::Record& record);
    /// The store is another one now, with these records.
    void restored(const std::vector<backend::Record>& records);
    /// Nothing more follows of that revision.
    void committed(Revision revision);

    void waits(std::uint64_t server, const std::string& name);
    void waitsNoMore(std::uint64_t server, const std::string& name);
    /// `server` told somebody that it was granted.
    void told(std::uint64_t server, const std::string& name, Revision grant);

    const std::string& verdict() const noexcept { return _verdict; }

private:
    using Servers = std::vector<std::string>;
    struct Name
    {
        Servers servers;                       ///< who waits where, the next first
        Servers before;                        ///< the last grant
        Revision grant;                        ///< the last
        std::map<Revision, std::string> turns; ///< whose turn the grant took
        /// Of servers where somebody waits: grants of others meanwhile.
        std::map<std::uint64_t, std::uint64_t> passedOver;
        struct Waiting
        {
            std::uint64_t count = 0;
            BootTime since;
        };
        std::map<std::uint64_t, Waiting> waiters;
    };

    void broken(const std::string& what);
    void judgeChange(const std::string& name, Name& watched, const Servers& before);
    void countTaken(const std::string& name, const Name& watched, const std::string& server);

    World& _world;
    const bool _calm;
    std::map<std::uint64_t, std::string> _ids; ///< of the servers that are up
    std::map<std::string, Name> _names;
    std::string _verdict;
};

} // namespace octostore::simulation
