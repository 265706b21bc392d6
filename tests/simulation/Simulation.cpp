// SPDX-License-Identifier: MIT
#include "Simulation.h"

#include "Chance.h"
#include "Client.h"
#include "Judge.h"
#include "Restores.h"
#include "Server.h"

#include <octostore/coordination/Name.h>

#include <memory>
#include <vector>

namespace octostore::simulation
{

namespace
{

using namespace std::chrono_literals;

/// After the faults: longer than any lease, watched by the slowest clock, and any lock delay.
constexpr std::chrono::seconds settling{30};

/// Many times what a run takes.
constexpr std::uint64_t stepsMax = 3'000'000;

/// Looks, 5 ms apart, for the moment to crash a server in.
constexpr unsigned aimingMax = 100;

class Simulation
{
public:
    Simulation(const Plan& plan, Counters& counters)
        : _plan(plan),
          _world(plan.seed, counters),
          _store(std::make_shared<memory::MemoryStore>(plan.shared
                                                           ? memory::MemoryStore::Mode::Shared
                                                           : memory::MemoryStore::Mode::Exclusive,
                                                       true)),
          _judge(_world, *_store, plan.calm, leniencyOf(plan)),
          _chance(_world, _judge, plan.shared),
          _restores(_world, _judge, *_store, _servers, plan.bug)
    {
        if (!plan.calm)
            _weather = {30, 30, 25, 60, 120, 8};
        else
            _chance.calmDown();
        _weather.locks = plan.locks;
        for (std::uint64_t id = 0; id < (plan.shared ? plan.servers : 1); ++id)
            addServer(id);
        for (std::uint64_t id = 0; id < plan.clients; ++id)
            _clients.push_back(std::make_unique<Client>(_world, _judge, _servers, _weather,
                                                        Client::Self{id, someRate()}));
    }

    Report run()
    {
        for (auto& server : _servers)
            server->start();
        for (auto& client : _clients)
            client->begin();
        if (!_plan.calm || _plan.crashes)
            crashSomeServer();
        if (!_plan.calm)
            loseTheStore();
        if (_plan.restores)
            _restores.begin();
        const BootTime faultsEnd = _world.bootTime() + _plan.length;
        go(faultsEnd);
        settle();
        go(faultsEnd + settling);
        if (_judge.verdict().empty() && _atEnd.empty())
            checkEnd();
        return {_judge.verdict().empty() ? _atEnd : _judge.verdict(), _judge.commits(), _steps};
    }

private:
    /// Nothing, when only the clients and the clocks are in the way. A server hears of the others
    /// within 40 ms then, and three servers may have to be passed over, each in a quarter of a
    /// second when it is gone.
    static Leniency leniencyOf(const Plan& plan)
    {
        if (!plan.shared) // a batch is behind another one, on a slow disk
            return {3s, 350ms, 0s, 3s};
        if (!plan.calm)
            return {3s, 0s, 5s, 5s};
        return {0s, 0s, 0s, plan.crashes ? 1200ms : 200ms};
    }

    /// Two clocks may differ by a hundredth, and no more is promised.
    double someRate() { return 1.0 + (static_cast<double>(_world.below(9)) - 4.0) / 1000.0; }

    void addServer(std::uint64_t id)
    {
        double rate = someRate();
        if (_plan.bug == Bug::EarlyExpiry)
            rate = 1.8;
        _servers.push_back(std::make_unique<Server>(Server::Parts{_world, _judge, _chance, _store},
                                                    id, rate, _plan.bug));
    }

    void go(BootTime end)
    {
        while (_judge.verdict().empty() && _world.step(end))
        {
            _judge.look();
            if (++_steps > stepsMax)
            {
                _atEnd = "time does not go on";
                return;
            }
        }
    }

    void crashSomeServer()
    {
        _world.after(_plan.shared ? _world.between(2s, 20s) : _world.between(1s, 8s),
                     [this]
                     {
                         if (_settled)
                             return;
                         crashWhileWriting(*_servers[_world.below(_servers.size())], aimingMax);
                         crashSomeServer();
                     });
    }

    /// Most crashes of a server with a disk meet it while that writes several transactions.
    void crashWhileWriting(Server& server, unsigned aim)
    {
        if (_settled || !server.isUp())
            return;
        if (!_plan.shared && server.written() < 2 && aim > 0)
        {
            _world.after(5ms, [this, &server, aim] { crashWhileWriting(server, aim - 1); });
            return;
        }
        server.crash();
        _world.after(_plan.shared ? _world.between(10ms, 9s) : _world.between(10ms, 4s),
                     [&server]
                     {
                         if (!server.isUp())
                             server.start();
                     });
    }

    void loseTheStore()
    {
        _world.after(_world.between(5s, 25s),
                     [this]
                     {
                         if (_settled)
                             return;
                         _chance.setReachable(false);
                         _world.after(_world.between(50ms, 3s),
                                      [this] { _chance.setReachable(true); });
                         loseTheStore();
                     });
    }

    /// From now on all goes well, and nobody asks for anything more.
    void settle()
    {
        _settled = true;
        _restores.stop();
        _chance.calmDown();
        _weather = {};
        for (auto& client : _clients)
            client->stop();
        for (auto& server : _servers)
            if (!server->isUp())
                server->start();
    }

    /// Everything ran out, and everybody got an answer.
    void checkEnd()
    {
        for (unsigned lock = 0; lock < _plan.locks; ++lock)
            checkOver("lock" + std::to_string(lock));
        checkOver(coordination::leaseNameOfRoom("room"));
        for (const auto& server : _servers)
            if (server->openRequests() != 0)
                _atEnd = "somebody was never answered";
    }

    void checkOver(const std::string& name)
    {
        if (_judge.truthOf(name).held)
            _atEnd = "G5: nobody ended " + name;
        const auto turns = _store->read({{backend::Collection::Meta, "waiting/" + name}})[0];
        if (!std::holds_alternative<std::monostate>(turns.value))
            _atEnd = "G6: nobody waits any more for " + name + ", and a server is listed";
    }

    const Plan _plan;
    World _world;
    const std::shared_ptr<memory::MemoryStore> _store;
    Judge _judge;
    Chance _chance;
    Weather _weather;
    std::vector<std::unique_ptr<Server>> _servers;
    Restores _restores;
    std::vector<std::unique_ptr<Client>> _clients;
    std::uint64_t _steps = 0;
    bool _settled = false;
    std::string _atEnd;
};

} // namespace

Report simulate(const Plan& plan, Counters& counters)
{
    return Simulation(plan, counters).run();
}

} // namespace octostore::simulation
