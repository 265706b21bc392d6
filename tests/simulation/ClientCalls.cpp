// SPDX-License-Identifier: MIT
/// @file
/// How a client asks over a bad network.
#include "Client.h"

#include <algorithm>

namespace octostore::simulation
{

using namespace std::chrono_literals;
using coordination::Reply;

Duration Client::travel()
{
    if (_weather.delayedOneIn != 0 && _world.oneIn(_weather.delayedOneIn))
    {
        _world.count("message delayed");
        return _world.between(50ms, 4s);
    }
    return _world.between(50us, 5ms);
}

/// By its own clock, which nobody compares with any other.
BootTime Client::endOf(Authority authority) const
{
    return _clock.world(_clock.local(authority.sent) + authority.time * 4 / 5);
}

/// Copies of one attempt do not overtake each other: they are the same.
void Client::reaches(const Server& server, std::uint64_t attempt)
{
    std::uint64_t& latest = _reached[&server];
    if (attempt < latest)
        _world.count("request overtaken by a later one");
    latest = std::max(latest, attempt);
}

void Client::call(Make make, Told told, Duration patience)
{
    const auto call = std::make_shared<Call>();
    call->make = std::move(make);
    call->told = std::move(told);
    call->patience = patience + 1500ms;
    if (patience > 0s && _weather.impatientOneIn != 0 && _world.oneIn(_weather.impatientOneIn))
        call->patience = _world.between(200ms, patience);
    attempt(call);
}

/// Sends it, perhaps twice, perhaps in vain; gives up and tries elsewhere when nothing comes back.
void Client::attempt(const std::shared_ptr<Call>& call)
{
    if (call->left-- == 0)
    {
        call->over = true;
        next(_world.between(100ms, 1s));
        return;
    }
    ++_attempts;
    const bool elsewhere = call->left < 2 || _world.oneIn(6);
    Server& server = *_servers[elsewhere ? _world.below(_servers.size()) : _id % _servers.size()];
    const BootTime sent = _world.bootTime();
    if (_weather.lostOneIn != 0 && _world.oneIn(_weather.lostOneIn))
        _world.count("request lost");
    else
        deliver(call, server, sent, true);
    if (_weather.doubledOneIn != 0 && _world.oneIn(_weather.doubledOneIn))
    {
        _world.count("request doubled");
        deliver(call, server, sent, false);
    }
    _world.after(call->patience,
                 [this, call, life = _life, left = call->left]
                 {
                     if (call->over || life != _life || call->left != left)
                         return;
                     _world.count("call repeated");
                     attempt(call);
                 });
}

void Client::deliver(const std::shared_ptr<Call>& call, Server& server, BootTime sent, bool first)
{
    _world.after(
        travel(),
        [this, call, &server, sent, first, life = _life, left = call->left, attempt = _attempts]
        {
            reaches(server, attempt);
            const auto told =
                [this, call, &server, sent, first, life, left](Reply reply, Duration authority)
            {
                if (!first)
                    return; // a copy's answer goes nowhere
                if (_weather.lostOneIn != 0 && _world.oneIn(_weather.lostOneIn))
                {
                    _world.count("answer lost");
                    return;
                }
                if (authority > 0s && server.clockRate() != _clock.rate())
                    _world.count("time told by a clock of another rate");
                _world.after(travel(),
                             [this, call, sent, life, left, authority, moved = std::move(reply)]
                             {
                                 if (call->over || life != _life || call->left != left)
                                     return;
                                 call->over = true;
                                 call->told(moved, {sent, authority});
                                 next(_world.between(5ms, 800ms));
                             });
            };
            const coordination::Ticket ticket = server.submit(call->make(), told);
            if (!first)
                return;
            // The connection breaks when its client has gone or lost patience.
            const std::uint64_t run = server.run();
            _world.after(call->patience,
                         [call, &server, run, ticket, left, this, life]
                         {
                             if (life != _life || (!call->over && call->left == left) ||
                                 call->left < left)
                                 server.abandon(run, ticket);
                         });
        });
}

} // namespace octostore::simulation
