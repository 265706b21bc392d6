// SPDX-License-Identifier: MIT
/// @file
/// Random commands that meet each other: few names, few holders, credentials that were true once.
#pragma once

#include "Samples.h"
#include "coordination/Rules.h"

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace octostore::coordination::test
{


/// Limits that few commands reach.
Limits smallLimits();

class RandomCommands
{
public:
    explicit RandomCommands(std::uint64_t seed);

    /// Below `bound`.
    std::uint64_t below(std::uint64_t bound) { return _random() % bound; }
    bool oneIn(std::uint64_t chances) { return below(chances) == 0; }

    std::string name();
    Command command(const std::string& name);
    /// 0 more often than not; else up to 20 s.
    Milliseconds wait();
    /// How long until the next command: never nothing, so that no two instants are the same.
    BootClock::duration pause();

    /// What an answer taught is used by later commands.
    void learn(const std::string& name, const Reply& reply);

private:
    struct Known
    {
        LockCredential credential;
        LeaderToken token{};
        Term term;
        Receipt receipt;
    };

    Command acquire();
    Command campaign();
    Command change(const std::string& name);
    Milliseconds ttl() { return Milliseconds(1 + below(15'000)); }

    std::mt19937_64 _random;
    std::uint64_t _fresh = 0;
    std::map<std::string, std::vector<Known>> _known; ///< of each name, the last few
};

} // namespace octostore::coordination::test
