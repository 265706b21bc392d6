// SPDX-License-Identifier: MIT
/// @file
/// What engines have answered, by ticket.
#pragma once

#include "Samples.h"

#include <octostore/coordination/Coordinator.h>

#include <map>

namespace octostore::coordination::test
{

/// What a harness offers of the answers it collects. Thread-safety: thread-compatible.
class Answers
{
public:
    bool answered(Ticket ticket) const { return _replies.count(ticket) != 0; }
    /// The answer; none fails the test.
    Reply reply(Ticket ticket) const
    {
        const auto found = _replies.find(ticket);
        if (found != _replies.end())
            return found->second;
        ADD_FAILURE() << "ticket " << ticket.value() << " has no answer";
        return Refused{};
    }
    template <class T>
    T get(Ticket ticket) const
    {
        return as<T>(reply(ticket));
    }

protected:
    std::map<Ticket, Reply> _replies;
};

} // namespace octostore::coordination::test
