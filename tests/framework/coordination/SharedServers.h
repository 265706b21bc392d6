// SPDX-License-Identifier: MIT
/// @file
/// Several engines on one store in memory, in one thread: a test moves the clock and says what
/// befalls a commit and who hears of it.
#pragma once

#include "Answers.h"
#include "coordination/Engine.h"

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <MemoryStore.h>

namespace octostore::coordination::test
{

/// Thread-safety: thread-compatible.
class SharedServers : public Answers
{
public:
    /// What becomes of a commit whose outcome nobody is told.
    enum class Fate
    {
        Done,        ///< told, as it should be
        AnswerLost,  ///< it is done
        RequestLost, ///< it is not
        Late,        ///< it is tried in lateCommit()
    };

    explicit SharedServers(std::size_t count);

    Now now{BootTime{1000s}, WallTime{1'700'000'000s}};

    /// Everything that this leads to happens at once.
    Ticket submit(std::size_t server, const std::string& name, Operation operation,
                  Milliseconds wait = Milliseconds{0});
    void abandon(std::size_t server, Ticket ticket);
    /// Moves the clock, stopping at every deadline of every server that is up.
    void pass(BootClock::duration time);

    /// What becomes of the next commit of `server`.
    void befall(std::size_t server, Fate fate) { _servers[server].fates.push_back(fate); }
    /// What was late arrives; true: it was applied.
    bool lateCommit();
    /// From now on it does nothing any more, and what it was asked is never answered.
    void crash(std::size_t server) { _servers[server].up = false; }
    /// While deaf it hears of the others only what it asks for.
    void setDeaf(std::size_t server, bool deaf);
    /// As if by an administrator, beside all servers.
    void write(backend::Key key, backend::Value value);

    /// Submits, and gives the answer that must come at once.
    template <class T>
    T ask(std::size_t server, const std::string& name, Operation operation)
    {
        return get<T>(submit(server, name, std::move(operation)));
    }

    Engine& engine(std::size_t server) { return *_servers[server].engine; }
    /// It said that its store is another one now.
    bool lost(std::size_t server) const { return _servers[server].lost; }
    memory::MemoryStore& store() { return *_store; }
    /// The record of `key`; monostate: there is none.
    backend::Value stored(backend::Key key) const
    {
        return _store->read({std::move(key)})[0].value;
    }

private:
    struct Server
    {
        std::unique_ptr<Engine> engine;
        Revision fed;
        std::deque<Fate> fates;
        bool up = true;
        bool deaf = false;
        bool lost = false;
    };

    void run();
    bool turn(Server& server);
    void feed(Server& server);
    backend::Outcome commit(Server& server, backend::Transaction transaction);

    const std::unique_ptr<memory::MemoryStore> _store;
    std::vector<Server> _servers;
    std::vector<backend::Transaction> _late;
    std::uint64_t _lastTicket = 0;
};

} // namespace octostore::coordination::test
