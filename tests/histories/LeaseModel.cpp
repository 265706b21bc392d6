// SPDX-License-Identifier: MIT
#include "LeaseModel.h"

namespace octostore::test
{

namespace
{

using States = std::vector<LeaseState>;

States granted(LeaseState state, const Operation& operation)
{
    if (state.holder == LeaseState::nobody)
    {
        if (operation.term <= state.termFloor)
            return {};
        return {LeaseState{operation.holder, operation.lease, operation.term, operation.term}};
    }
    // The holder again: the same lease.
    if (state.holder != operation.holder ||
        (!state.lease.empty() && state.lease != operation.lease) ||
        (state.term != 0 ? state.term != operation.term : operation.term <= state.termFloor))
        return {};
    state.lease = operation.lease;
    state.term = operation.term;
    state.termFloor = operation.term;
    return {state};
}

States acquire(const LeaseState& state, const Operation& operation)
{
    const bool free = state.holder == LeaseState::nobody;
    switch (operation.told)
    {
    case Told::Granted:
        return granted(state, operation);
    case Told::Held:
        return !free && state.holder != operation.holder ? States{state} : States{};
    case Told::Nothing:
        return free ? States{state, LeaseState{operation.holder, {}, 0, state.termFloor}}
                    : States{state};
    default:
        return {};
    }
}

States renew(const LeaseState& state, const Operation& operation)
{
    const bool current = state.holder != LeaseState::nobody && state.lease == operation.lease;
    if (operation.told == Told::Nothing || (operation.told == Told::Done) == current)
        return {state};
    return {};
}

States release(const LeaseState& state, const Operation& operation)
{
    const bool current = state.holder != LeaseState::nobody && state.lease == operation.lease;
    const LeaseState ended{LeaseState::nobody, {}, 0, state.termFloor};
    if (operation.told == Told::Nothing)
        return current ? States{state, ended} : States{state};
    if ((operation.told == Told::Done) != current)
        return {};
    return {current ? ended : state};
}

States status(LeaseState state, const Operation& operation)
{
    const bool free = state.holder == LeaseState::nobody;
    if (operation.told == Told::Nothing)
        return {state};
    if (operation.told == Told::Free)
        return free ? States{state} : States{};
    if (free ||
        (state.term != 0 ? state.term != operation.term : operation.term <= state.termFloor))
        return {};
    state.term = operation.term;
    state.termFloor = operation.term;
    return {state};
}

} // namespace

std::string textOf(const Operation& operation)
{
    constexpr const char* actions[] = {"acquire", "renew", "release", "status"};
    constexpr const char* answers[] = {"granted", "held", "done", "not current", "free", "nothing"};
    return std::to_string(operation.holder) + " " +
           actions[static_cast<std::size_t>(operation.action)] + " -> " +
           answers[static_cast<std::size_t>(operation.told)] + " " + operation.lease + " term " +
           std::to_string(operation.term) + " [" + std::to_string(operation.invoked) + ", " +
           std::to_string(operation.returned) + "]";
}

std::vector<LeaseState> after(const LeaseState& state, const Operation& operation)
{
    switch (operation.action)
    {
    case Action::Acquire:
        return acquire(state, operation);
    case Action::Renew:
        return renew(state, operation);
    case Action::Release:
        return release(state, operation);
    case Action::Status:
        return status(state, operation);
    }
    return {};
}

} // namespace octostore::test
