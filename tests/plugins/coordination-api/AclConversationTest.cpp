// SPDX-License-Identifier: MIT
// Goal: every outcome a client of access lists can meet, as JSON, status and headers.
// Method: whole conversations against a real engine whose clock stands still.
#include "SessionApiTest.h"

#include <octostore/base/Digest.h>

namespace octostore::test
{
namespace
{

using namespace std::chrono_literals;
using http::Method;

class AclConversationTest : public SessionApiTest
{
protected:
    /// What status says of the list; empty: the key is absent.
    std::string shown(const std::string& name)
    {
        const std::string body = _server.get("/locks/" + name, carol).body();
        const auto at = body.find("\"acl\":");
        return at == std::string::npos ? std::string() : body.substr(at + 6);
    }
    /// Of the list of `a`.
    void change(Method method, std::string_view token, const std::string& body, int status)
    {
        const Call call = _server.ask({method, "/locks/a/acl", std::string(token), body});
        EXPECT_EQ(call.status(), status) << body << call.body();
    }
    std::string lastReason() { return _server.coordinator().eventsOf("a").back().reason; }
};

TEST_F(AclConversationTest, TheFirstListComesWithTheLock)
{
    leaseOf("team.a", alice, acl(R"([" user:Bob ","user:alice","user:bob"])"));
    EXPECT_EQ(shown("team.a"), R"({"acquire":["user:alice","user:bob"]}})");
    EXPECT_EQ(textOf(acquire("team.a", bob).json(), "status"), "held");
    expectError(acquire("team.a", carol), 403, "forbidden");
    EXPECT_EQ(textOf(acquire("team.a", root).json(), "status"), "held") << "administrators pass";
}

TEST_F(AclConversationTest, StatusHasNoListWhereThereIsNoneAndTheListNever)
{
    leaseOf("team.a", alice);
    EXPECT_EQ(shown("team.a"), "");
    leaseOf("team.b", alice, acl(R"(["user:alice"])"));
    EXPECT_EQ(_server.get("/locks", alice).body().find("acl"), std::string::npos);
}

TEST_F(AclConversationTest, TokensAreKnownByTheirBearersAndShownToNobody)
{
    leaseOf("team.a", alice, acl(R"(["token:bob-token","token:alice-token","user:zoe"])"));
    EXPECT_EQ(shown("team.a"),
              R"({"acquire":["token:[redacted]","token:[redacted]","user:zoe"]}})");
    EXPECT_EQ(textOf(acquire("team.a", bob).json(), "status"), "held");
    expectError(acquire("team.a", carol), 403, "forbidden");
    const auto state = _server.coordinator().engine().stateOf("team.a");
    ASSERT_TRUE(state.acl);
    EXPECT_EQ(state.acl->acquire.front().find("bob-token"), std::string::npos);
    EXPECT_EQ(state.acl->acquire.size(), 3U);
    const auto has = [&](const std::string& entry)
    {
        return std::find(state.acl->acquire.begin(), state.acl->acquire.end(), entry) !=
               state.acl->acquire.end();
    };
    EXPECT_TRUE(has("token:" + toHex(sha256("bob-token")))) << "only its digest is kept";
}

TEST_F(AclConversationTest, ADigestIsNoToken)
{
    // Whoever reads the store must not get in with what stands there.
    leaseOf("a", alice, acl("[\"user:alice\",\"token:" + toHex(sha256("bob-token")) + "\"]"));
    expectError(acquire("a", bob), 403, "forbidden");
}

TEST_F(AclConversationTest, WhoSendsTheFirstListMustStandInIt)
{
    expectError(acquire("a", alice, acl(R"(["user:bob"])")), 403, "forbidden");
    EXPECT_EQ(statusOf("a"), "free");
    leaseOf("b", root, acl(R"(["user:bob"])"));
}

TEST_F(AclConversationTest, TheListStaysWhenTheLockGoesAndIsNotChangedByAcquire)
{
    const std::string lease = leaseOf("a", alice, acl(R"(["user:alice"])"));
    release("a", alice, lease);
    expectError(acquire("a", bob), 403, "forbidden");
    expectError(acquire("a", bob, acl(R"(["user:bob"])")), 409, "conflict");
    leaseOf("a", alice, acl(R"(["user:ALICE","user:alice"])"));
}

TEST_F(AclConversationTest, AReacquireMayBringTheFirstList)
{
    const std::string lease = leaseOf("a", alice);
    EXPECT_EQ(textOf(acquire("a", alice, acl(R"(["user:alice"])")).json(), "lease_id"), lease);
    expectError(acquire("a", bob), 403, "forbidden");
}

TEST_F(AclConversationTest, ItsHolderReplacesTheWholeList)
{
    leaseOf("team.a", alice, acl(R"(["user:alice"])"));
    const Call call = putAcl("team.a", alice, R"(["user:Carol","token:x","user:alice"])");
    EXPECT_EQ(call.status(), 200);
    EXPECT_EQ(call.body(), R"({"name":"team.a","acl":{"acquire":)"
                           R"(["token:[redacted]","user:alice","user:carol"]}})");
    EXPECT_EQ(textOf(acquire("team.a", carol).json(), "status"), "held");
    const auto events = _server.coordinator().eventsOf("team.a");
    EXPECT_EQ(events.back().type, event::Type::AclChanged);
    EXPECT_EQ(events.back().actor.name, "alice");
}

TEST_F(AclConversationTest, OnlyAcquireAsksTheList)
{
    const std::string lease = leaseOf("a", alice);
    EXPECT_EQ(putAcl("a", alice, R"(["user:bob"])").status(), 200);
    EXPECT_EQ(renew("a", alice, lease).status(), 200);
    expectError(acquire("a", alice), 403, "forbidden");
    EXPECT_EQ(release("a", alice, lease).status(), 200);
    leaseOf("a", bob);
}

TEST_F(AclConversationTest, AnAdministratorSetsTheListOfAnyName)
{
    EXPECT_EQ(putAcl("not/there", root, R"(["user:bob"])").status(), 200);
    expectError(acquire("not/there", alice), 403, "forbidden");
    leaseOf("not/there", bob);
    expectEmpty204(dropAcl("not/there", root));
    EXPECT_EQ(textOf(acquire("not/there", alice).json(), "status"), "held");
}

TEST_F(AclConversationTest, WhyAnAdministratorChangedAListIsInTheJournal)
{
    change(Method::Put, root, R"({"acl":{"acquire":["user:bob"]},"reason":"bob takes over"})", 200);
    EXPECT_EQ(lastReason(), "bob takes over");
    change(Method::Put, root, R"({"acl":{"acquire":["user:bob"]}})", 200);
    EXPECT_EQ(lastReason(), "") << "it may be left out";
    change(Method::Delete, root, R"({"reason":"the freeze is over"})", 204);
    EXPECT_EQ(lastReason(), "the freeze is over");
}

TEST_F(AclConversationTest, AnAdministratorsReasonThatIsNoneChangesNothing)
{
    change(Method::Put, root, R"({"acl":{"acquire":["user:bob"]}})", 200);
    for (const std::string& bad : {std::string(R"("")"), std::string(R"(" ")"), std::string("7"),
                                   "\"" + std::string(257, 'x') + "\""})
    {
        change(Method::Put, root, R"({"acl":{"acquire":["user:carol"]},"reason":)" + bad + "}",
               400);
        change(Method::Delete, root, "{\"reason\":" + bad + "}", 400);
    }
    EXPECT_EQ(_server.coordinator().eventsOf("a").size(), 1U);
    change(Method::Delete, root, "not looked at", 204);
}

TEST_F(AclConversationTest, AHolderIsAskedForNoReason)
{
    leaseOf("a", alice);
    change(Method::Put, alice, R"({"acl":{"acquire":["user:bob"]},"reason":7})", 200);
    EXPECT_EQ(lastReason(), "");
    change(Method::Delete, alice, R"({"reason":"mine"})", 204);
    EXPECT_EQ(lastReason(), "");
}

TEST_F(AclConversationTest, TheAccountBehindASessionsLockMayChangeItsList)
{
    const std::string id = open(alice);
    leaseOf("a", alice, in(id));
    EXPECT_EQ(putAcl("a", alice, R"(["user:alice"])").status(), 200);
    expectError(putAcl("a", bob, R"(["user:bob"])"), 403, "forbidden");
    close(id, alice);
    expectError(putAcl("a", alice, R"(["user:bob"])"), 404, "not_found");
}

TEST_F(AclConversationTest, AListThatCouldNotBeWrittenComesWithoutALock)
{
    _server.coordinator().failNextCommit({ErrorCode::Unavailable, "disk full"});
    expectError(acquire("team.a", alice, acl(R"(["user:alice"])")), 503, "internal_error",
                "storage_unavailable");
    EXPECT_EQ(shown("team.a"), "");
    EXPECT_EQ(statusOf("team.a"), "free");
}

} // namespace
} // namespace octostore::test
