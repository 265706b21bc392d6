// SPDX-License-Identifier: MIT
/// @file
/// One name, one clock, and the rules applied to them by hand.
#pragma once

#include "Samples.h"
#include "coordination/Rules.h"

#include <octostore/coordination/Name.h>

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace octostore::coordination::test
{

class RulesFixture : public ::testing::Test
{
protected:
    RulesFixture() { limits.clock = "this-boot"; }

    void pass(BootClock::duration time)
    {
        now.boot += time;
        now.wall += time;
    }

    Decision decideOn(const NameState& on, const Command& command)
    {
        return decide(Subject{name, actor, request}, on, scope, limits, command, now);
    }

    /// Decides, commits what is to be written, and gives the answer.
    Reply run(const Command& command)
    {
        Decision decision = decideOn(state, command);
        written.reset();
        mayWait = std::holds_alternative<Wait>(decision);
        if (const Answer* answer = std::get_if<Answer>(&decision))
            return answer->reply;
        if (const Wait* wait = std::get_if<Wait>(&decision))
            return wait->reply;
        return commit(std::get<Write>(std::move(decision)));
    }

    Reply commit(Write write)
    {
        written = write.transaction;
        revision = Revision(revision.value() + 10);
        auto [after, reply] = committed(std::move(write), backend::Committed{revision});
        state = after;
        return reply;
    }

    Write writeOf(const NameState& on, const Command& command)
    {
        Decision decision = decideOn(on, command);
        if (Write* write = std::get_if<Write>(&decision))
            return std::move(*write);
        ADD_FAILURE() << "nothing to write: alternative " << decision.index() << " of Decision";
        return Write{};
    }

    /// The event of the last write; a missing one fails the test.
    event::Draft eventOfWrite() const
    {
        if (written && written->event)
            return *written->event;
        ADD_FAILURE() << "no event";
        return {};
    }

    /// The condition of the last write on the lease record; none, or two, fails the test.
    static backend::Condition conditionOf(const backend::Transaction& transaction)
    {
        std::vector<backend::Condition> found;
        for (const backend::Condition& condition : transaction.conditions)
            if (condition.key.collection == backend::Collection::Lease)
                found.push_back(condition);
        EXPECT_EQ(found.size(), 1U);
        return found.empty() ? backend::Condition{} : found.front();
    }

    Status status() const { return statusOf(name, state, now.boot); }

    std::string name = "jobs/nightly";
    event::Actor actor{event::ActorKind::User, "user1"};
    RequestId request = idOf<RequestId>(77);
    Now now{BootTime{1000s}, WallTime{1'700'000'000s}};
    Limits limits;
    Scope scope;
    NameState state;
    Revision revision;
    std::optional<backend::Transaction> written;
    bool mayWait = false;
};

} // namespace octostore::coordination::test
