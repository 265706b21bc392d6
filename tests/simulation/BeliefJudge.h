// SPDX-License-Identifier: MIT
/// @file
/// Watches that no two clients rely on one name at a time (G2), as the clients see it.
#pragma once

#include "World.h"

#include <octostore/base/Id.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace octostore::simulation
{

/// Thread-safety: thread-compatible.
class BeliefJudge
{
public:
    explicit BeliefJudge(World& world) : _world(world) {}

    /// `client` relies on the lease until `until` (world time).
    void believes(std::uint64_t client, const std::string& name, Term term, BootTime until);
    void believesNoMore(std::uint64_t client, const std::string& name);
    /// A copy of the store that ended at `copied` took the place of one that had come to `last`.
    void restored(Revision copied, Revision last) { _holes.push_back({copied, last}); }
    /// Whether that term was given out by a store that a restore has put aside.
    bool isLost(Term term) const;

    const std::string& verdict() const noexcept { return _verdict; }

private:
    struct Hole
    {
        Revision copied;
        Revision last;
    };
    struct Belief
    {
        Term term;
        BootTime until;
    };

    bool mayMeet(Term one, Term other) const;
    void compare(const std::string& name, const Belief& mine, const Belief& other);
    void broken(const std::string& what);

    World& _world;
    std::vector<Hole> _holes;
    std::map<std::string, std::map<std::uint64_t, Belief>> _beliefs; ///< the last of each client
    std::string _verdict;
};

} // namespace octostore::simulation
