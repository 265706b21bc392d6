// SPDX-License-Identifier: MIT
#include "SharedServers.h"

#include <algorithm>

namespace octostore::coordination::test
{

SharedServers::SharedServers(std::size_t count)
    : _store(std::make_unique<memory::MemoryStore>(memory::MemoryStore::Mode::Shared))
{
    write({backend::Collection::Meta, "incarnation"}, backend::MetaRecord{"this"});
    for (std::size_t index = 0; index < count; ++index)
    {
        Limits limits;
        limits.clock = "machine" + std::to_string(index);
        Server server;
        server.engine = std::make_unique<Engine>(limits);
        server.engine->share({_store->revision(), index, std::to_string(index) + "-server"});
        for (backend::Record& record : _store->snapshot().records)
            server.engine->restore(std::move(record), now.boot, now);
        server.engine->restored(now);
        server.fed = _store->revision();
        _servers.push_back(std::move(server));
    }
}

Ticket SharedServers::submit(std::size_t server, const std::string& name, Operation operation,
                             Milliseconds wait)
{
    const Ticket ticket(++_lastTicket);
    Request request;
    request.name = name;
    request.operation = std::move(operation);
    request.actor = {event::ActorKind::User, "tester"};
    request.arrived = now.boot;
    request.wait = wait;
    engine(server).submit(ticket, std::move(request), now);
    run();
    return ticket;
}

void SharedServers::abandon(std::size_t server, Ticket ticket)
{
    engine(server).abandon(ticket, now);
    run();
}

void SharedServers::pass(BootClock::duration time)
{
    const BootTime end = now.boot + time;
    for (;;)
    {
        run();
        BootTime next = end;
        for (const Server& server : _servers)
            if (const auto due = server.engine->nextDeadline(); due && server.up)
                next = std::min(next, *due);
        const BootClock::duration step = std::max(next, now.boot) - now.boot;
        now.boot += step;
        now.wall += step;
        if (now.boot >= end)
            break;
    }
    run();
}

bool SharedServers::lateCommit()
{
    bool applied = false;
    for (backend::Transaction& transaction : std::exchange(_late, {}))
        applied |= std::holds_alternative<backend::Committed>(
            _store->commit(std::move(transaction)).result);
    run();
    return applied;
}

void SharedServers::setDeaf(std::size_t server, bool deaf)
{
    _servers[server].deaf = deaf;
    run();
}

void SharedServers::write(backend::Key key, backend::Value value)
{
    backend::Transaction transaction;
    transaction.puts.push_back({std::move(key), std::move(value)});
    (void)_store->commit(std::move(transaction));
    run();
}

void SharedServers::run()
{
    for (int turns = 0; turns < 10'000; ++turns)
    {
        bool more = false;
        for (Server& server : _servers)
            more = (server.up && turn(server)) || more;
        if (!more)
            return;
    }
    ADD_FAILURE() << "the servers do not come to rest";
}

/// True: it did something.
bool SharedServers::turn(Server& server)
{
    if (!server.deaf)
        feed(server);
    bool more = server.engine->advance(now, 256);
    Output output = server.engine->take();
    for (backend::Transaction& transaction : output.commits)
    {
        std::vector<backend::Outcome> outcomes;
        outcomes.push_back(commit(server, std::move(transaction)));
        server.engine->outcomes(std::move(outcomes), now);
        more = true;
    }
    if (output.sync)
    {
        feed(server);
        server.engine->caughtUp(*output.sync, server.fed, now);
        more = true;
    }
    for (auto& [ticket, reply] : output.replies)
        EXPECT_TRUE(_replies.emplace(ticket, std::move(reply)).second) << "answered twice";
    server.lost = server.lost || output.lost;
    const auto due = server.engine->nextDeadline();
    return more || (due && *due <= now.boot);
}

void SharedServers::feed(Server& server)
{
    memory::MemoryStore::Changes changes = _store->changes(server.fed);
    if (changes.upTo == server.fed)
        return;
    server.fed = changes.upTo;
    server.engine->changes(std::move(changes.records), changes.upTo, now);
}

backend::Outcome SharedServers::commit(Server& server, backend::Transaction transaction)
{
    Fate fate = Fate::Done;
    if (!server.fates.empty())
    {
        fate = server.fates.front();
        server.fates.pop_front();
    }
    const backend::TransactionId id = transaction.id;
    if (fate == Fate::Done)
        return _store->commit(std::move(transaction));
    if (fate == Fate::AnswerLost)
        (void)_store->commit(std::move(transaction));
    else if (fate == Fate::Late)
        _late.push_back(std::move(transaction));
    return {id, backend::Failed{{ErrorCode::OutcomeUnknown, "the test says so"}}};
}

} // namespace octostore::coordination::test
