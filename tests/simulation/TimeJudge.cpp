// SPDX-License-Identifier: MIT
#include "TimeJudge.h"

#include <algorithm>
#include <string_view>

namespace octostore::simulation
{

namespace
{

using namespace std::chrono_literals;
using backend::LeaseState;

/// G5, of the server that wrote it.
constexpr Duration punctual = 50ms;
/// G5, when that server is gone: TTL x 1.01 and this.
constexpr Duration observed = 2500ms;

constexpr std::string_view machine = "machine";

std::optional<std::uint64_t> serverOf(std::string_view clock)
{
    if (clock.compare(0, machine.size(), machine) != 0)
        return std::nullopt;
    return std::stoull(std::string(clock.substr(machine.size())));
}

std::string at(BootTime time)
{
    return std::to_string(time.time_since_epoch() / 1us) + " us";
}

} // namespace

void TimeJudge::broken(const std::string& what)
{
    if (_verdict.empty())
        _verdict = "G5: " + what;
}

void TimeJudge::serverStarted(std::uint64_t server, const SkewedClock& clock)
{
    _servers.insert_or_assign(server, Server{&clock, _world.bootTime()});
}

void TimeJudge::changed(const backend::Record& record)
{
    if (record.key.collection != backend::Collection::Lease)
        return;
    Name& name = _names[record.key.name];
    const auto* lease = std::get_if<backend::LeaseRecord>(&record.value);
    const bool wasHeld = name.lease && name.lease->state == LeaseState::Held;
    if (wasHeld && (!lease || lease->term != name.lease->term || lease->state != LeaseState::Held))
    {
        const bool own = writerIsUp(name);
        if (own && _world.bootTime() >= deadlineOf(name))
            _world.count("lease ended by its server at its deadline");
        if (!own && _world.bootTime() >= name.writtenAt + Duration(name.lease->ttl))
            _world.count("lease ended without its server");
    }
    name.lease = lease ? std::optional(*lease) : std::nullopt;
    name.writtenAt = _world.bootTime();
    name.writer = lease ? serverOf(lease->deadline.clock.view()) : std::nullopt;
    name.reported = false;
}

void TimeJudge::restored(const std::vector<backend::Record>& records)
{
    for (auto& [key, name] : _names)
        name.lease.reset();
    for (const backend::Record& record : records)
    {
        const auto* lease = std::get_if<backend::LeaseRecord>(&record.value);
        if (!lease)
            continue;
        Name& name = _names[record.key.name];
        name.lease = *lease;
        name.writtenAt = _world.bootTime();
        name.writer.reset();
    }
}

/// It is the one that knows the deadline exactly, and has known it ever since.
bool TimeJudge::writerIsUp(const Name& name) const
{
    const auto server = name.writer ? _servers.find(*name.writer) : _servers.end();
    return server != _servers.end() && server->second.since <= name.writtenAt;
}

/// By the clock of its writer, which is up.
BootTime TimeJudge::deadlineOf(const Name& name) const
{
    return _servers.at(*name.writer).clock->world(name.lease->deadline.boot);
}

/// By when the lease, or the lock delay, has to be over; nothing: no server is up.
std::optional<BootTime> TimeJudge::overBy(const Name& name) const
{
    const BootTime afterTrouble = _trouble + _leniency.afterTrouble;
    if (writerIsUp(name))
    {
        const BootTime over = deadlineOf(name) + punctual + _leniency.commit;
        return _leniency.afterTrouble == 0s ? over : std::max(over, afterTrouble + punctual);
    }
    std::optional<BootTime> first;
    for (const auto& [id, server] : _servers)
    {
        const BootTime seen = std::max(server.since, name.writtenAt);
        first = std::min(first.value_or(BootTime::max()), seen);
    }
    if (!first)
        return std::nullopt;
    const Duration ttl = name.lease->ttl;
    const BootTime over = *first + ttl + ttl / 100 + observed + _leniency.feed;
    return _leniency.afterTrouble == 0s ? over : std::max(over, afterTrouble + observed);
}

void TimeJudge::waits(const std::string& name, std::uint64_t server, std::uint64_t ticket,
                      BootTime until)
{
    _names[name].waits[{server, ticket}] = {_world.bootTime(), until};
}

void TimeJudge::waitsNoMore(const std::string& name, std::uint64_t server, std::uint64_t ticket)
{
    _names[name].waits.erase({server, ticket});
}

void TimeJudge::forgetWaiters(std::uint64_t server)
{
    for (auto& [key, name] : _names)
        std::erase_if(name.waits,
                      [server](const auto& entry) { return entry.first.first == server; });
}

void TimeJudge::look()
{
    for (auto& [key, name] : _names)
        lookAt(key, name);
}

void TimeJudge::lookAt(const std::string& key, Name& name)
{
    const BootTime now = _world.bootTime();
    if (!name.lease)
        return;
    BootTime free = name.writtenAt;
    if (name.lease->state != LeaseState::Vacant)
    {
        const auto due = overBy(name);
        if (!due)
            return;
        if (now > *due && name.lease->state == LeaseState::Held)
            broken("a lease is not over: " + key + ", written at " + at(name.writtenAt) +
                   (writerIsUp(name) ? " by a server that is up" : "") + ", over by " + at(*due) +
                   ", the last trouble at " + at(_trouble));
        if (name.lease->state == LeaseState::Held)
            return;
        free = *due;
    }
    for (const auto& [who, wait] : name.waits)
    {
        const BootTime since =
            std::max({free, wait.since, _servers.at(who.first).since,
                      _leniency.afterTrouble == 0s ? free : _trouble + _leniency.afterTrouble});
        if (now < wait.until && now > since + _leniency.serving)
            broken("who waits is not served: " + key + ", free since " + at(free) +
                   ", waiting since " + at(wait.since));
    }
}

} // namespace octostore::simulation
