// SPDX-License-Identifier: MIT
#include "event/Publisher.h"

#include "MemoryBackend.h"
#include "support/FakeClock.h"

#include <gtest/gtest.h>

namespace octostore::event
{
namespace
{

TEST(PublisherTest, RenewalsThatGatherBeyondTheLimitAreDroppedAndCounted)
{
    memory::MemoryBackend backend(std::make_shared<memory::MemoryStore>());
    const test::FakeClock clock;
    // It is never started, so that everything gathers.
    Publisher publisher(backend, clock, {}, Logger());
    publisher.publish({}, std::vector<Renewal>(65'536));
    EXPECT_EQ(publisher.droppedRenewals(), 0U);
    publisher.publish({}, std::vector<Renewal>(3));
    EXPECT_EQ(publisher.droppedRenewals(), 3U);
}

} // namespace
} // namespace octostore::event
