// SPDX-License-Identifier: MIT
#include "event/Publisher.h"

#include "HappenedEvent.h"
#include "MemoryBackend.h"
#include "support/FakeClock.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>

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

TEST(PublisherTest, WhoReadsWhileItStartsMissesNothing)
{
    const auto store = std::make_shared<memory::MemoryStore>();
    memory::MemoryBackend backend(store);
    const test::FakeClock clock;
    const Revision stored(happen(*store, clock.wallTime()).sequence.value());
    constexpr int starts = 5000;
    for (int i = 0; i < starts; ++i)
    {
        Publisher publisher(backend, clock, {}, Logger());
        std::size_t seen = 0;
        std::thread reader(
            [&]
            {
                while (publisher.newest() == Sequence())
                {
                }
                seen = publisher.read(Sequence(), 10)->size();
            });
        EXPECT_TRUE(publisher.start(stored));
        reader.join();
        ASSERT_EQ(seen, 1U) << "start " << i;
    }
}

} // namespace
} // namespace octostore::event
