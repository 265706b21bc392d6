// SPDX-License-Identifier: MIT
/// @file
/// One client of a run: asks over a bad network, retries, pauses, crashes, and relies on what it
/// was told.
#pragma once

#include "Judge.h"
#include "Server.h"
#include "World.h"

#include <octostore/coordination/Command.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace octostore::simulation
{

/// How the network and the clients behave.
struct Weather
{
    unsigned lostOneIn = 0; ///< 0: never
    unsigned doubledOneIn = 0;
    unsigned delayedOneIn = 0;
    unsigned pausedOneIn = 0; ///< of its steps
    unsigned crashedOneIn = 0;
    unsigned impatientOneIn = 0; ///< of the calls that wait: leaves before their time
    unsigned locks = 3;          ///< how many there are to choose from
};

/// One thing at a time. Keeps the client's rules: authority counts from when the request was sent,
/// by the client's own clock, ends at 0.8 of what was told, and ends when a release is sent. Once
/// it has sent a renew for less it relies on no more than that: a copy of it may still arrive.
/// Thread-safety: thread-compatible.
class Client
{
public:
    struct Self
    {
        std::uint64_t id;
        double clockRate;
    };
    Client(World& world, Judge& judge, std::vector<std::unique_ptr<Server>>& servers,
           const Weather& weather, Self self);
    /// Goes on until stop().
    void begin();
    void stop() { _stopped = true; }

private:
    using Make = std::function<coordination::Request()>;
    struct Authority
    {
        BootTime sent; ///< world time
        Duration time; ///< as it was told
    };
    using Told = std::function<void(const coordination::Reply&, Authority)>;
    struct Holding
    {
        Term term;
        LeaseId lease;
        std::optional<coordination::LeaderToken> token;
        bool ephemeral = false;
        BootTime until{}; ///< relies on it, world time
    };
    struct Call
    {
        Make make;
        Told told;
        unsigned left = 3; ///< attempts
        Duration patience{0};
        bool over = false;
    };

    void step();
    void next(Duration pause);
    void act();
    void actOnHolding(const std::string& name);
    void acquire(const std::string& name);
    void campaign(const std::string& name);
    void renew(const std::string& name);
    void release(const std::string& name);
    void look(const std::string& name);
    void mark();
    void openSession();
    void keepSession();
    void closeSession();
    void crash();

    void call(Make make, Told told, Duration patience);
    void attempt(const std::shared_ptr<Call>& call);
    void deliver(const std::shared_ptr<Call>& call, Server& server, BootTime sent, bool first);
    void reaches(const Server& server, std::uint64_t attempt);
    BootTime endOf(Authority authority) const;
    Milliseconds usualTtl() const;
    Milliseconds ttl(Milliseconds usual);
    void holds(const std::string& name, const coordination::LeaseView& lease,
               std::optional<coordination::LeaderToken> token, bool ephemeral, Authority authority);
    void asksFor(const std::string& name, Milliseconds ttl);
    void lets(const std::string& name);
    coordination::Request request(const std::string& name, coordination::Operation operation,
                                  Milliseconds wait = Milliseconds(0)) const;
    Duration travel();
    template <class Id>
    Id fresh();

    World& _world;
    Judge& _judge;
    std::vector<std::unique_ptr<Server>>& _servers;
    const Weather& _weather;
    const std::uint64_t _id;
    const SkewedClock _clock;
    bool _stopped = false;
    std::uint64_t _attempts = 0;
    std::map<const Server*, std::uint64_t> _reached; ///< the latest attempt that did
    std::uint64_t _life = 0; ///< grows with each crash: what was asked before is nobody's
    std::map<std::string, Holding> _holdings;
    std::set<std::pair<std::string, Term>> _givenUp;             ///< a release of it was sent
    std::map<std::pair<std::string, Term>, Milliseconds> _least; ///< a renew for it was sent
    std::optional<SessionId> _session;
};

} // namespace octostore::simulation
