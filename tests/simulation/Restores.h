// SPDX-License-Identifier: MIT
/// @file
/// Restores the store of a run from copies that were made earlier.
#pragma once

#include "Judge.h"
#include "Server.h"
#include "World.h"

#include <memory>
#include <optional>
#include <vector>

#include <MemoryStore.h>

namespace octostore::simulation
{

/// Again and again, until stop(): makes a copy, lets some time pass, puts the copy in the place of
/// the store. One server: it is stopped for that. Several: they run on and have to find out.
/// Thread-safety: thread-compatible. References must outlive this object.
class Restores
{
public:
    Restores(World& world, Judge& judge, memory::MemoryStore& store,
             std::vector<std::unique_ptr<Server>>& servers, Bug bug)
        : _world(world), _judge(judge), _store(store), _servers(servers), _bug(bug)
    {
    }

    void begin();
    void stop() { _stopped = true; }

private:
    void copy();
    void stopServer();
    void restore(Duration stoppedFor);
    void startAgain();
    void then(Duration least, Duration most, void (Restores::*what)());

    World& _world;
    Judge& _judge;
    memory::MemoryStore& _store;
    std::vector<std::unique_ptr<Server>>& _servers;
    const Bug _bug;
    memory::MemoryStore::Image _copy;
    bool _stopped = false;
};

} // namespace octostore::simulation
