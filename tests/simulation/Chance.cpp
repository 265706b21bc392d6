// SPDX-License-Identifier: MIT
#include "Chance.h"

namespace octostore::simulation
{

using namespace std::chrono_literals;
using memory::Fate;

Fate Chance::ofCommit()
{
    if (_calm || !_world.oneIn(12))
        return Fate::Done;
    trouble(1s); // its answer may take a while
    if (!_shared)
        return _world.oneIn(3) ? counted("disk full", Fate::Unavailable) : Fate::Done;
    switch (_world.below(5))
    {
    case 0:
        return counted("conflict for nothing", Fate::Conflict);
    case 1:
        return counted("commit unavailable", Fate::Unavailable);
    case 2:
        return counted("commit answer lost", Fate::LostAnswer);
    case 3:
        return counted("commit request lost", Fate::LostRequest);
    default:
        return counted("commit late", Fate::Late);
    }
}

Duration Chance::delay()
{
    if (_calm || (_shared && !_world.oneIn(40)))
        return _world.between(30us, 3ms);
    if (_shared)
    {
        trouble(400ms);
        return _world.between(5ms, 400ms);
    }
    // A slow disk: crashes meet it while it writes. While it stalls, more gathers for the next
    // write, of which a crash can keep a part.
    if (!_world.oneIn(12))
        return _world.between(5ms, 150ms);
    _world.count("disk stalled");
    trouble(1500ms);
    return _world.between(150ms, 600ms);
}

/// Often so soon that nobody has fenced it off yet.
Duration Chance::lateness()
{
    return _world.oneIn(2) ? _world.between(0ms, 5ms) : _world.between(1ms, 8s);
}

Duration Chance::lag()
{
    if (_calm || !_world.oneIn(50))
        return _world.between(1ms, 40ms);
    _world.count("feed lags");
    return _world.between(500ms, 4s);
}

bool Chance::reachable()
{
    if (_reachable)
        return true;
    _world.count("store unreachable");
    trouble(0s);
    return false;
}

std::size_t Chance::surviving(std::size_t written)
{
    if (written == 0)
        return 0;
    // What one transaction cannot show: a part of a write.
    const auto kept = static_cast<std::size_t>(
        written > 1 && _world.oneIn(2) ? 1 + _world.below(written - 1) : _world.below(written + 1));
    _world.count(kept == written ? "crash kept what was written"
                 : kept == 0     ? "crash lost what was written"
                                 : "crash tore what was written");
    _world.count("unsynced transaction kept", kept);
    _world.count("unsynced transaction lost", written - kept);
    return kept;
}

void Chance::triedLate(bool done)
{
    trouble(0s);
    _world.count(done ? "late commit applied" : "late commit fenced off");
}

Fate Chance::counted(const char* what, Fate fate)
{
    _world.count(what);
    return fate;
}

} // namespace octostore::simulation
