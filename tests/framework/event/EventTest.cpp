// SPDX-License-Identifier: MIT
#include <octostore/event/Event.h>

#include <gtest/gtest.h>

namespace octostore::event
{
namespace
{

class EventTest : public testing::Test
{
protected:
    template <class Enumeration>
    static std::vector<std::string> names(std::string_view (*name)(Enumeration) noexcept,
                                          Enumeration first, Enumeration last)
    {
        std::vector<std::string> result;
        for (int i = static_cast<int>(first); i <= static_cast<int>(last); ++i)
            result.emplace_back(name(static_cast<Enumeration>(i)));
        return result;
    }
};

using Names = std::vector<std::string>;

TEST_F(EventTest, TypesHaveTheirWireNames)
{
    const Names expected{"lock.acquired",
                         "lock.released",
                         "lock.expired",
                         "lock.force_released",
                         "lock.handed_over",
                         "election.leader_elected",
                         "election.leader_resigned",
                         "election.leader_expired",
                         "election.leader_removed",
                         "election.leader_changed",
                         "session.created",
                         "session.closed",
                         "session.expired",
                         "acl.changed",
                         "token.rotated",
                         "account.created",
                         "account.removed",
                         "webhook.created",
                         "webhook.changed",
                         "webhook.removed",
                         "webhook.disabled",
                         "webhook.failing",
                         "webhook.exhausted",
                         "webhook.gap",
                         "config.reloaded",
                         "server.started",
                         "server.stopped",
                         "backup.taken"};
    EXPECT_EQ(names(typeName, Type::LockAcquired, lastType), expected);
}

TEST_F(EventTest, CausesHaveTheirWireNames)
{
    const Names expected{"",
                         "ttl",
                         "released",
                         "resigned",
                         "session_closed",
                         "session_expired",
                         "force_released",
                         "undelivered"};
    EXPECT_EQ(names(causeName, Cause::None, Cause::Undelivered), expected);
}

TEST_F(EventTest, ResourcesAndActorsHaveTheirWireNames)
{
    const Names kinds{"lock",    "election", "session", "acl",   "webhook",
                      "account", "config",   "server",  "backup"};
    EXPECT_EQ(names(resourceKindName, ResourceKind::Lock, ResourceKind::Backup), kinds);
    const Names actors{"system", "user", "candidate", "admin"};
    EXPECT_EQ(names(actorKindName, ActorKind::System, ActorKind::Admin), actors);
}

TEST_F(EventTest, ReleasedNumbersStay)
{
    EXPECT_EQ(static_cast<int>(Type::LockAcquired), 1);
    EXPECT_EQ(static_cast<int>(Type::LeaderElected), 6);
    EXPECT_EQ(static_cast<int>(Type::SessionCreated), 11);
    EXPECT_EQ(static_cast<int>(Type::AclChanged), 14);
    EXPECT_EQ(static_cast<int>(Type::BackupTaken), 28);
    EXPECT_EQ(static_cast<int>(Cause::Ttl), 1);
    EXPECT_EQ(static_cast<int>(Cause::Undelivered), 7);
}

} // namespace
} // namespace octostore::event
