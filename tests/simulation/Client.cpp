// SPDX-License-Identifier: MIT
#include "Client.h"

#include <octostore/coordination/Name.h>

#include <algorithm>

namespace octostore::simulation
{

namespace
{

using namespace std::chrono_literals;
using coordination::Reply;

template <class Id>
Id idOf(std::uint64_t number)
{
    Id id;
    id.uuid.bytes[0] = 0xC1;
    for (std::size_t i = 0; i < 8; ++i)
        id.uuid.bytes[15 - i] = static_cast<std::uint8_t>(number >> (8 * i));
    return id;
}

} // namespace

Client::Client(World& world, Judge& judge, std::vector<std::unique_ptr<Server>>& servers,
               const Weather& weather, Self self)
    : _world(world),
      _judge(judge),
      _servers(servers),
      _weather(weather),
      _id(self.id),
      _clock(world, self.clockRate, 777s * static_cast<std::int64_t>(self.id))
{
}

template <class Id>
Id Client::fresh()
{
    return idOf<Id>(1'000'000 + _world.below(std::uint64_t(1) << 62U));
}

void Client::begin()
{
    next(_world.between(0ms, 500ms));
}

void Client::next(Duration pause)
{
    _world.after(pause,
                 [this, life = _life]
                 {
                     if (life == _life && !_stopped)
                         step();
                 });
}

void Client::step()
{
    if (_weather.crashedOneIn != 0 && _world.oneIn(_weather.crashedOneIn))
    {
        crash();
        return;
    }
    if (_weather.pausedOneIn != 0 && _world.oneIn(_weather.pausedOneIn))
    {
        _world.count("client paused");
        next(_world.between(1s, 12s));
        return;
    }
    act();
}

/// Forgets everything; comes back as the same account.
void Client::crash()
{
    _world.count("client crashed");
    ++_life;
    for (const auto& [name, holding] : _holdings)
        _judge.beliefs().believesNoMore(_id, name);
    _holdings.clear();
    _session.reset();
    next(_world.between(100ms, 6s));
}

void Client::act()
{
    if (_session && _world.oneIn(4))
    {
        _world.oneIn(5) ? closeSession() : keepSession();
        return;
    }
    if (!_session && _world.oneIn(8))
    {
        openSession();
        return;
    }
    if (_world.oneIn(12))
    {
        mark();
        return;
    }
    if (_world.oneIn(5))
    {
        const std::string room = coordination::leaseNameOfRoom("room");
        _holdings.count(room) != 0 ? actOnHolding(room) : campaign(room);
        return;
    }
    const std::string name = "lock" + std::to_string(_world.below(_weather.locks));
    if (_holdings.count(name) != 0)
        actOnHolding(name);
    else if (_world.oneIn(4))
        look(name);
    else
        acquire(name);
}

void Client::actOnHolding(const std::string& name)
{
    const auto choice = _world.below(10);
    if (choice < 6)
        renew(name);
    else if (choice < 9)
        release(name);
    else
    {
        // Lets it run out, and acts as if it had never had it.
        lets(name);
        next(_world.between(0s, 3s));
    }
}

coordination::Request Client::request(const std::string& name, coordination::Operation operation,
                                      Milliseconds wait) const
{
    coordination::Request request;
    request.name = name;
    request.operation = std::move(operation);
    request.actor = {event::ActorKind::User, "client" + std::to_string(_id)};
    request.wait = wait;
    return request;
}

Milliseconds Client::usualTtl() const
{
    return Milliseconds(2000 + 500 * static_cast<std::int64_t>(_id % 5));
}

/// Now and then another one, up to what Restores waits for.
Milliseconds Client::ttl(Milliseconds usual)
{
    if (!_world.oneIn(3))
        return usual;
    return Milliseconds(1000 + 500 * static_cast<std::int64_t>(_world.below(7)));
}

void Client::acquire(const std::string& name)
{
    coordination::Acquire acquire;
    acquire.principal = idOf<PrincipalId>(_id);
    acquire.holder = idOf<HolderId>(_id);
    acquire.label = "client" + std::to_string(_id);
    acquire.ttl = ttl(usualTtl());
    acquire.lockDelay = Milliseconds(_world.oneIn(3) ? 300 : 0);
    acquire.ephemeral = _session && _world.oneIn(2);
    if (acquire.ephemeral)
        acquire.session = *_session;
    const Milliseconds wait(_world.oneIn(2) ? 500 + static_cast<std::int64_t>(_world.below(4000))
                                            : 0);
    call(
        [=, this]
        {
            auto copy = acquire;
            copy.freshLease = fresh<LeaseId>();
            return request(name, coordination::Command(copy), wait);
        },
        [=, this](const Reply& reply, Authority told)
        {
            if (const auto* granted = std::get_if<coordination::Granted>(&reply))
                holds(name, granted->lease, std::nullopt, acquire.ephemeral, told);
            _judge.refusedItsOwn(name, acquire.label, reply);
        },
        wait);
}

void Client::campaign(const std::string& name)
{
    coordination::Campaign campaign;
    campaign.candidate = "client" + std::to_string(_id);
    campaign.candidateKey = "key" + std::to_string(_id);
    campaign.ttl = ttl(3000ms);
    const Milliseconds wait(_world.oneIn(2) ? 3000 : 0);
    call(
        [=, this]
        {
            auto copy = campaign;
            copy.freshHolder = fresh<HolderId>();
            copy.freshNonce = copy.freshHolder.uuid.bytes;
            return request(name, coordination::Command(copy), wait);
        },
        [=, this](const Reply& reply, Authority told)
        {
            if (const auto* granted = std::get_if<coordination::Granted>(&reply))
                holds(name, granted->lease, granted->token, false, told);
            _judge.refusedItsOwn(name, campaign.candidate, reply);
        },
        wait);
}

void Client::renew(const std::string& name)
{
    const Holding holding = _holdings.at(name);
    coordination::Renew renew;
    if (holding.token)
        renew = {*holding.token, ttl(3000ms)};
    else
        renew = {coordination::LockCredential{idOf<HolderId>(_id), holding.lease}, ttl(usualTtl())};
    asksFor(name, renew.ttl);
    call(
        [=, this]
        {
            _judge.deadlines().renewArrives(name, holding.term, renew.ttl);
            return request(name, coordination::Command(renew));
        },
        [=, this](const Reply& reply, Authority told)
        {
            if (const auto* renewed = std::get_if<coordination::Renewed>(&reply))
                holds(name, renewed->lease, holding.token, holding.ephemeral, told);
            else
                lets(name);
        },
        0s);
}

void Client::release(const std::string& name)
{
    const Holding holding = _holdings.at(name);
    _givenUp.insert({name, holding.term});
    lets(name);
    coordination::Command command;
    if (holding.token)
        command = coordination::Resign{*holding.token};
    else
        command = coordination::Release{{idOf<HolderId>(_id), holding.lease}};
    call([=, this] { return request(name, command); },
         [=, this](const Reply& reply, Authority)
         {
             _judge.toldAgain(name, holding.term, reply);
             const auto* refused = std::get_if<coordination::Refused>(&reply);
             if (refused && refused->ended && refused->ended->cause != event::Cause::Ttl)
                 _world.count("repeat told of its end");
         },
         0s);
}

void Client::look(const std::string& name)
{
    const bool fence = _world.oneIn(3);
    const Term term = _judge.truthOf(name).term;
    call(
        [=, this]
        {
            return request(name, fence ? coordination::Query(coordination::CheckFence{term})
                                       : coordination::Query(coordination::GetStatus{}));
        },
        [](const Reply&, Authority) {}, 0s);
}

/// A record, or an access list, that nobody else asks for.
void Client::mark()
{
    const bool list = _world.oneIn(2);
    call(
        [=, this]
        {
            const std::string mark = fresh<LeaseId>().toString();
            if (list)
            {
                coordination::ChangeAcl change;
                change.admin = true;
                change.acl = std::vector<std::string>{mark};
                return request("list", coordination::Command(change));
            }
            coordination::StoreRecords store;
            const backend::Key key{backend::Collection::Webhook, "of " + std::to_string(_id)};
            store.transaction.puts.push_back({key, backend::WebhookRecord{mark}});
            return request("", store);
        },
        [](const Reply&, Authority) {}, 0s);
}

void Client::openSession()
{
    const Milliseconds ttl(3000);
    call(
        [=, this]
        {
            coordination::OpenSession open{fresh<SessionId>(), idOf<PrincipalId>(_id),
                                           "client" + std::to_string(_id), ttl};
            return request("", coordination::SessionCommand(open));
        },
        [this](const Reply& reply, Authority)
        {
            if (const auto* view = std::get_if<coordination::SessionView>(&reply))
                _session = view->session;
        },
        0s);
}

void Client::keepSession()
{
    const coordination::KeepAlive keep{*_session, idOf<PrincipalId>(_id)};
    call([=, this] { return request("", coordination::SessionCommand(keep)); },
         [this](const Reply& reply, Authority)
         {
             if (std::holds_alternative<coordination::Refused>(reply))
                 _session.reset();
         },
         0s);
}

void Client::closeSession()
{
    coordination::CloseSession close;
    close.session = *_session;
    close.principal = idOf<PrincipalId>(_id);
    _session.reset();
    // Which of them depend on it only the servers know for certain: an answer may have been lost.
    while (!_holdings.empty())
        lets(std::string(_holdings.begin()->first));
    call([=, this] { return request("", coordination::SessionCommand(close)); },
         [](const Reply&, Authority) {}, 0s);
}

void Client::holds(const std::string& name, const coordination::LeaseView& lease,
                   std::optional<coordination::LeaderToken> token, bool ephemeral,
                   Authority authority)
{
    if (_givenUp.count({name, lease.term}) != 0)
        return; // a release of it may still be on its way
    if (const auto least = _least.find({name, lease.term}); least != _least.end())
        authority.time = std::min<Duration>(authority.time, least->second);
    Holding& holding = _holdings[name];
    holding = {lease.term, lease.lease, token, ephemeral || holding.ephemeral, endOf(authority)};
    if (holding.until > _world.bootTime())
        _judge.beliefs().believes(_id, name, lease.term, holding.until);
}

/// A renew for less may end the lease that early, from when it is sent.
void Client::asksFor(const std::string& name, Milliseconds ttl)
{
    Holding& holding = _holdings.at(name);
    Milliseconds& least = _least.emplace(std::pair(name, holding.term), ttl).first->second;
    least = std::min(least, ttl);
    const BootTime until = endOf({_world.bootTime(), ttl});
    if (until >= holding.until)
        return;
    holding.until = until;
    _judge.beliefs().believes(_id, name, holding.term, until);
}

void Client::lets(const std::string& name)
{
    _judge.beliefs().believesNoMore(_id, name);
    _holdings.erase(name);
}

} // namespace octostore::simulation
