// SPDX-License-Identifier: MIT
/// @file
/// An engine on a store that commits out of order between classes, fails now and then and loses
/// what is in flight, with a judge that looks at everything.
#pragma once

#include "SessionJudge.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <string>

namespace octostore::coordination::test
{

/// The same numbers in every run with the same seed.
class Dice
{
public:
    explicit Dice(std::uint64_t seed) : _engine(seed) {}
    std::uint64_t below(std::uint64_t bound) { return _engine() % bound; }
    bool chance(std::uint64_t percent) { return below(100) < percent; }
    Milliseconds between(std::uint64_t least, std::uint64_t most)
    {
        return Milliseconds(static_cast<std::int64_t>(least + below(most - least + 1)));
    }

private:
    std::mt19937_64 _engine;
};

/// Thread-safety: thread-compatible.
class JudgedEngine
{
public:
    /// `dice` must outlive this object.
    JudgedEngine(Limits limits, Dice& dice);

    void submit(const std::string& name, Operation operation, Milliseconds wait = Milliseconds{0});
    /// Somebody who asked for something about a name goes.
    void abandonSomebody();

    /// Time passes, with the engine awake at its deadlines or not.
    void passTime(Milliseconds time);
    /// Commits the oldest of some class, or lets it fail; false when nothing is in flight.
    bool commitOne();
    /// The server is killed: of what is in flight some was committed, and nobody knows which.
    void crash();
    /// Everything is committed; then nothing may be left undone.
    void rest();

    const CheckedStore& store() const { return _store; }
    std::size_t grants() const { return _grants; }
    std::size_t conflicts() const { return _conflicts; }

private:
    void start(const std::string& clock);
    void moveTo(BootTime instant);
    void advance();
    void collect();
    void answered(Ticket ticket, const Reply& reply);
    SessionJudge::Transactions inFlight() const;
    bool commitOldest(bool mayFail);
    void settle();
    backend::Outcome commit(backend::Transaction transaction);
    bool fitsNow(const backend::Transaction& transaction) const;

    Limits _limits;
    Dice& _dice;
    std::string _clock;
    BootTime _recoveredAt;
    Now _now{BootTime{1000s}, WallTime{1'700'000'000s}};
    CheckedStore _store;
    SessionJudge::Asking _asking;
    SessionJudge _judge{_store, _asking, _limits};
    std::unique_ptr<Engine> _engine;
    std::array<std::deque<backend::Transaction>, priorityCount> _pending; ///< by class
    std::uint64_t _lastTicket = 0;
    std::size_t _grants = 0;
    std::size_t _conflicts = 0;
};

} // namespace octostore::coordination::test
