// SPDX-License-Identifier: MIT
/// @file
/// What befalls the store of a run and the messages to it.
#pragma once

#include "Judge.h"
#include "World.h"

#include <DrivenBackend.h>

namespace octostore::simulation
{

/// Counts every fault and tells the judge how long it may be felt. Thread-safety:
/// thread-compatible. References must outlive this object.
class Chance final : public memory::Fates
{
public:
    Chance(World& world, Judge& judge, bool shared) : _world(world), _judge(judge), _shared(shared)
    {
    }

    memory::Fate ofCommit() override;
    Duration delay() override;
    Duration lateness() override;
    Duration lag() override;
    bool reachable() override;
    std::size_t surviving(std::size_t written) override;
    void triedLate(bool done) override;

    void setReachable(bool reachable) { _reachable = reachable; }
    /// Nothing goes wrong from now on.
    void calmDown() { _calm = _reachable = true; }

private:
    memory::Fate counted(const char* what, memory::Fate fate);
    void trouble(Duration time) { _judge.trouble(_world.bootTime() + time); }

    World& _world;
    Judge& _judge;
    const bool _shared;
    bool _calm = false;
    bool _reachable = true;
};

} // namespace octostore::simulation
