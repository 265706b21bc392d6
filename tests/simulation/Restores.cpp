// SPDX-License-Identifier: MIT
#include "Restores.h"

#include "coordination/RestorePlan.h"

namespace octostore::simulation
{

namespace
{

using namespace std::chrono_literals;

/// What Client asks for at most.
constexpr Milliseconds longestTtl = 4000ms;

} // namespace

void Restores::then(Duration least, Duration most, void (Restores::*what)())
{
    _world.after(_world.between(least, most),
                 [this, what]
                 {
                     if (!_stopped)
                         (this->*what)();
                 });
}

void Restores::begin()
{
    then(2s, 8s, &Restores::copy);
}

void Restores::copy()
{
    _judge.copied();
    _copy = _store.image();
    then(500ms, 8s, &Restores::stopServer);
}

void Restores::stopServer()
{
    if (_store.isShared())
        return restore(0s);
    Server& server = *_servers.front();
    if (server.isUp())
        server.crash();
    const Duration stoppedFor = _world.oneIn(2) ? 0s : _world.between(100ms, 3s);
    _world.after(stoppedFor,
                 [this, &server, stoppedFor]
                 {
                     if (_stopped)
                         return;
                     // Somebody may have started it meanwhile.
                     const bool ranOn = server.isUp();
                     if (ranOn)
                         server.crash();
                     restore(ranOn ? 0s : stoppedFor);
                 });
}

/// The whole wait counts from now, or from when the old server stopped, as who restores says.
void Restores::restore(Duration stoppedFor)
{
    const Server& server = *_servers.front();
    const bool here = !_store.isShared() && _world.oneIn(2);
    const bool told = stoppedFor > 0s && _world.oneIn(2);
    _world.count(told ? "restored, with the time the old server stopped" : "restored");
    Milliseconds wait = longestTtl;
    if (told)
        wait -= std::chrono::floor<Milliseconds>(stoppedFor);
    backend::RestoreOrder order;
    Uuid incarnation;
    incarnation.bytes[0] = static_cast<std::uint8_t>(_world.below(256));
    coordination::planRestore(order, incarnation, here ? server.clockName() : "elsewhere",
                              here ? server.now() : Now{_world.bootTime(), _world.wallTime()},
                              wait);
    if (_bug == Bug::TermsComeAgain)
        order.skip = 1;
    _judge.look();
    const backend::RestoreReport report = _store.putBack(_copy, order);
    _judge.restored(report);
    _judge.trouble(_world.bootTime() + 3s);
    if (!_store.isShared())
        then(10ms, 2s, &Restores::startAgain);
    then(4s, 10s, &Restores::copy);
}

void Restores::startAgain()
{
    if (!_servers.front()->isUp())
        _servers.front()->start();
}

} // namespace octostore::simulation
