// SPDX-License-Identifier: MIT
#include "BeliefJudge.h"

#include <algorithm>

namespace octostore::simulation
{

void BeliefJudge::broken(const std::string& what)
{
    if (_verdict.empty())
        _verdict = what;
}

bool BeliefJudge::isLost(Term term) const
{
    return std::any_of(_holes.begin(), _holes.end(),
                       [term](const Hole& hole) {
                           return term.value() > hole.copied.value() &&
                                  term.value() <= hole.last.value();
                       });
}

/// A restored lease lives again, and its holder may renew it, although the store that was put aside
/// may have given the name to another since: only the terms tell those two apart. No third one.
bool BeliefJudge::mayMeet(Term one, Term other) const
{
    const std::uint64_t low = std::min(one, other).value();
    const std::uint64_t high = std::max(one, other).value();
    return std::any_of(_holes.begin(), _holes.end(),
                       [low, high](const Hole& hole) {
                           return low <= hole.copied.value() && high > hole.copied.value() &&
                                  high <= hole.last.value();
                       });
}

void BeliefJudge::compare(const std::string& name, const Belief& mine, const Belief& other)
{
    const bool allowed = mayMeet(mine.term, other.term);
    if (other.until > _world.bootTime())
    {
        if (!allowed)
            broken("G2: two clients believe to hold " + name);
        else
            _world.count("restored lease beside one that is lost");
    }
    if (other.term > mine.term && !allowed)
        broken("G1: a later holder has a lower term: " + name);
}

void BeliefJudge::believes(std::uint64_t client, const std::string& name, Term term, BootTime until)
{
    auto& beliefs = _beliefs[name];
    const Belief mine{term, until};
    for (const auto& [other, belief] : beliefs)
        if (other != client)
            compare(name, mine, belief);
    beliefs.insert_or_assign(client, mine);
}

void BeliefJudge::believesNoMore(std::uint64_t client, const std::string& name)
{
    auto& beliefs = _beliefs[name];
    if (const auto found = beliefs.find(client); found != beliefs.end())
        found->second.until = _world.bootTime();
}

} // namespace octostore::simulation
