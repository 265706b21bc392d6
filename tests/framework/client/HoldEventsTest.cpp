// SPDX-License-Identifier: MIT
#include "support/FakeClock.h"
#include "support/JsonSchema.h"

#include <octostore/client/HoldEvents.h>

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace octostore::client
{

using namespace std::chrono_literals;

class HoldEventsTest : public testing::Test
{
protected:
    static test::JsonSchema schema()
    {
        std::ifstream file(OCTOSTORE_TEST_SCHEMA);
        std::stringstream text;
        text << file.rdbuf();
        return test::JsonSchema(text.str());
    }

    BootTime deadline() const { return _clock.bootTime() + 8s; }

    test::FakeClock _clock;
    HoldEvents _election{{HoldKind::Election, "room-0001", "https://a.example", "node-1"}, _clock};
    HoldEvents _lock{{HoldKind::Lock, "jobs/import", "http://127.0.0.1:3000", ""}, _clock};
    const LeaseFacts _lease{42, "2026-08-03T01:02:33Z"};
};

TEST_F(HoldEventsTest, EveryEventOfBothKindsFitsTheSchema)
{
    const test::JsonSchema rules = schema();
    for (HoldEvents* events : {&_election, &_lock})
        for (const std::string& line :
             {events->waiting(1500ms, "follower"), events->won(_lease, deadline()),
              events->renewed(_lease, deadline()), events->released(42, "signal"),
              events->lost(_lease, "lease_not_current"), events->uncertain({42, ""}, "timeout"),
              events->error("authentication_failed")})
            EXPECT_EQ(rules.check(line), "") << line;
    HoldEvents watch({HoldKind::Election, "room-0001", "https://a.example", ""}, _clock);
    EXPECT_EQ(rules.check(watch.snapshot("{\"status\":\"vacant\"}")), "");
}

TEST_F(HoldEventsTest, TheSchemaRefusesWhatIsNoEvent)
{
    const test::JsonSchema rules = schema();
    EXPECT_NE(rules.check("{}"), "");
    std::string line = _election.released(42, "signal");
    EXPECT_NE(rules.check(line.insert(1, "\"leader_token\":\"x\",")), "");
    line = _election.released(42, "signal");
    EXPECT_NE(rules.check(line.replace(line.find("released"), 8, "renounced")), "");
}

TEST_F(HoldEventsTest, AWonEventSaysUntilWhenAuthorityLasts)
{
    EXPECT_EQ(_election.won(_lease, deadline()),
              "{\"schema_version\":1,\"sequence\":1,\"event\":\"leader\",\"kind\":\"election\","
              "\"name\":\"room-0001\",\"server\":\"https://a.example\","
              "\"observed_at\":\"2026-08-03T01:02:03Z\",\"candidate_id\":\"node-1\",\"term\":42,"
              "\"expires_at\":\"2026-08-03T01:02:33Z\",\"authority_remaining_ms\":8000,"
              "\"authority_observed_unix_ms\":1785718923000,"
              "\"authority_observed_continuous_ms\":1000000}");
    EXPECT_NE(_lock.won(_lease, deadline()).find("\"event\":\"acquired\""), std::string::npos);
}

TEST_F(HoldEventsTest, SequencesCountFromOne)
{
    _election.waiting(0ms, "follower");
    EXPECT_NE(_election.error("forbidden").find("\"sequence\":2,"), std::string::npos);
    EXPECT_NE(_lock.error("forbidden").find("\"sequence\":1,"), std::string::npos);
}

TEST_F(HoldEventsTest, LocksHaveNoCandidate)
{
    EXPECT_EQ(_lock.error("forbidden").find("candidate_id"), std::string::npos);
}

} // namespace octostore::client
