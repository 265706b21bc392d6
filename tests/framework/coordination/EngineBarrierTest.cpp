// SPDX-License-Identifier: MIT
/// @file
/// Commits of unknown outcome on a shared store, of the kinds that write no record they condition
/// on: nobody is told anything before it is certain, and what is told stays true.
#include "SharedServers.h"

#include <octostore/coordination/Name.h>

#include <algorithm>
#include <functional>

namespace octostore::coordination::test
{

namespace
{

using Fate = SharedServers::Fate;

const backend::Key accountKey{backend::Collection::Principal, "somebody"};
const backend::Key aclKey{backend::Collection::Acl, "deploy"};

backend::PrincipalRecord account(const std::string& role)
{
    backend::PrincipalRecord record;
    record.name = "somebody";
    record.role = role;
    return record;
}

StoreRecords putAccount(const std::string& role)
{
    StoreRecords store;
    store.transaction.puts.push_back({accountKey, account(role)});
    return store;
}

StoreRecords eraseAccount()
{
    StoreRecords store;
    store.transaction.conditions.push_back({accountKey, backend::Condition::Kind::Present, {}});
    store.transaction.erasures.push_back(accountKey);
    return store;
}

ChangeAcl aclOf(std::optional<std::vector<std::string>> acl)
{
    ChangeAcl change;
    change.admin = true;
    change.acl = std::move(acl);
    return change;
}

/// What is asked, what is there before, and where to look for what became of it.
struct Case
{
    const char* what;
    std::string name;
    Operation operation;
    std::optional<Operation> before;
    backend::Key key;
};

std::vector<Case> cases()
{
    const auto session = idOf<SessionId>(7);
    const OpenSession open{session, idOf<PrincipalId>(1), "user1", 30s};
    const backend::Key sessionKey{backend::Collection::Session, session.toString()};
    const std::vector<std::string> user1{"user:user1"};
    const std::vector<std::string> user2{"user:user2"};
    return {
        {"a first access list", "deploy", Command(aclOf(user1)), {}, aclKey},
        {"another access list", "deploy", Command(aclOf(user1)), Command(aclOf(user2)), aclKey},
        {"no access list any more", "deploy", Command(aclOf({})), Command(aclOf(user1)), aclKey},
        {"a session", "", SessionCommand(open), {}, sessionKey},
        {"a new record", "", putAccount("user"), {}, accountKey},
        {"another record", "", putAccount("admin"), putAccount("user"), accountKey},
        {"no record any more", "", eraseAccount(), putAccount("user"), accountKey},
    };
}

} // namespace

class EngineBarrierTest : public ::testing::TestWithParam<std::size_t>
{
protected:
    void SetUp() override
    {
        if (asked.before)
            (void)servers.submit(0, asked.name, *asked.before);
        before = servers.stored(asked.key);
    }
    Ticket ask() { return servers.submit(0, asked.name, asked.operation); }

    const Case asked = cases()[GetParam()];
    SharedServers servers{2};
    backend::Value before;
};

TEST_P(EngineBarrierTest, WhatWasDoneIsToldToBeDone)
{
    SCOPED_TRACE(asked.what);
    servers.befall(0, Fate::AnswerLost);
    const Reply reply = servers.reply(ask());
    EXPECT_FALSE(is<Refused>(reply));
    EXPECT_NE(servers.stored(asked.key), before);
}

TEST_P(EngineBarrierTest, WhatWasNotDoneIsToldNotToBe)
{
    SCOPED_TRACE(asked.what);
    servers.befall(0, Fate::RequestLost);
    EXPECT_EQ(codeOf(servers.reply(ask())), ErrorCode::Unavailable);
    EXPECT_EQ(servers.stored(asked.key), before);
    servers.pass(1s);
    EXPECT_FALSE(is<Refused>(servers.reply(ask()))) << "it can be asked for again";
}

TEST_P(EngineBarrierTest, WhatIsLateIsNeverDoneOnceItIsToldNotToBe)
{
    SCOPED_TRACE(asked.what);
    servers.befall(0, Fate::Late);
    EXPECT_EQ(codeOf(servers.reply(ask())), ErrorCode::Unavailable);
    EXPECT_FALSE(servers.lateCommit());
    EXPECT_EQ(servers.stored(asked.key), before);
}

TEST_P(EngineBarrierTest, ABarrierOfUnknownOutcomeIsRaisedAgain)
{
    SCOPED_TRACE(asked.what);
    servers.befall(0, Fate::Late);
    servers.befall(0, Fate::AnswerLost);
    const Ticket ticket = ask();
    EXPECT_FALSE(servers.answered(ticket)) << "nothing is certain yet";
    servers.pass(1s);
    EXPECT_EQ(codeOf(servers.reply(ticket)), ErrorCode::Unavailable);
    EXPECT_FALSE(servers.lateCommit());
}

TEST_P(EngineBarrierTest, WhatAnotherServerDidSinceIsNotTakenForIt)
{
    SCOPED_TRACE(asked.what);
    if (asked.key.collection == backend::Collection::Session)
        GTEST_SKIP() << "nobody else knows its ID";
    servers.befall(0, Fate::AnswerLost);
    servers.befall(0, Fate::RequestLost); // the barrier
    const Ticket ticket = ask();
    const bool acl = asked.key == aclKey;
    servers.write(asked.key, acl ? backend::Value(backend::AclRecord{{"user:other"}})
                                 : backend::Value(account("observer")));
    servers.pass(1s);
    EXPECT_EQ(codeOf(servers.reply(ticket)), ErrorCode::OutcomeUnknown);
}

INSTANTIATE_TEST_SUITE_P(Kinds, EngineBarrierTest, ::testing::Range<std::size_t>(0, 7));

class EngineMovedStoreTest : public ::testing::Test
{
protected:
    SharedServers servers{2};
    const backend::Key incarnation{backend::Collection::Meta, "incarnation"};
};

TEST_F(EngineMovedStoreTest, AServerOfARestoredStoreGrantsAndTellsNothingAnyMore)
{
    const auto lease = servers.ask<Granted>(0, "deploy", Command(acquireBy(1, 60s))).lease;
    const Ticket waiter = servers.submit(0, "deploy", Command(acquireBy(2, 60s)), 50s);
    servers.write(incarnation, backend::MetaRecord{"another"});
    EXPECT_TRUE(servers.lost(0));
    EXPECT_TRUE(servers.lost(1));
    EXPECT_TRUE(is<Refused>(servers.reply(waiter)));
    const Revision before = servers.store().revision();
    const std::vector<Operation> all{
        Command(acquireBy(3, 60s)),
        Command(Renew{credentialOf(lease), 60s}),
        Command(Release{credentialOf(lease)}),
        Query(GetStatus{}),
        Query(CheckFence{lease.term}),
        putAccount("user"),
        SessionCommand(OpenSession{idOf<SessionId>(1), idOf<PrincipalId>(1), "user1", 30s})};
    for (const Operation& operation : all)
        EXPECT_EQ(codeOf(servers.reply(servers.submit(0, "deploy", operation))),
                  ErrorCode::Unavailable);
    servers.pass(120s);
    EXPECT_EQ(servers.store().revision(), before) << "not even an end is written";
}

TEST_F(EngineMovedStoreTest, AServerThatHasNotHeardOfItCannotGrant)
{
    servers.setDeaf(0, true);
    servers.write(incarnation, backend::MetaRecord{"another"});
    EXPECT_FALSE(servers.lost(0));
    const Ticket ticket = servers.submit(0, "deploy", Command(acquireBy(1, 60s)));
    EXPECT_EQ(codeOf(servers.reply(ticket)), ErrorCode::Unavailable);
    EXPECT_TRUE(servers.lost(0)) << "its commit met the new incarnation";
    EXPECT_TRUE(std::holds_alternative<std::monostate>(
        servers.stored({backend::Collection::Lease, "deploy"})));
}

TEST_F(EngineMovedStoreTest, AServerOfAStoreThatIsMovedStops)
{
    servers.write({backend::Collection::Meta, "moved"}, backend::MetaRecord{"elsewhere"});
    EXPECT_TRUE(servers.lost(0));
    const Ticket ticket = servers.submit(1, "deploy", Command(acquireBy(1, 60s)));
    EXPECT_EQ(codeOf(servers.reply(ticket)), ErrorCode::Unavailable);
}

TEST_F(EngineMovedStoreTest, WhatIsUnknownWhenTheStoreIsRestoredIsToldToBe)
{
    servers.befall(0, Fate::AnswerLost);
    servers.befall(0, Fate::RequestLost);
    const Ticket acl = servers.submit(0, "deploy", Command(aclOf({{"user:user1"}})));
    servers.befall(0, Fate::AnswerLost);
    servers.befall(0, Fate::RequestLost);
    const Ticket lock = servers.submit(0, "build", Command(acquireBy(1, 60s)));
    servers.write(incarnation, backend::MetaRecord{"another"});
    EXPECT_EQ(codeOf(servers.reply(acl)), ErrorCode::OutcomeUnknown);
    EXPECT_EQ(codeOf(servers.reply(lock)), ErrorCode::OutcomeUnknown);
}

} // namespace octostore::coordination::test
