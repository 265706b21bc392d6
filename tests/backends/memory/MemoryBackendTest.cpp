// SPDX-License-Identifier: MIT
#include "MemoryBackend.h"

#include <conformance/backend/BackendConformance.h>

namespace octostore::test
{

namespace
{

class MemoryUnderTest final : public StoreUnderTest
{
public:
    explicit MemoryUnderTest(memory::MemoryStore::Mode mode)
        : _store(std::make_shared<memory::MemoryStore>(mode))
    {
    }
    std::unique_ptr<backend::Backend> open() override
    {
        return std::make_unique<memory::MemoryBackend>(_store);
    }

private:
    const std::shared_ptr<memory::MemoryStore> _store;
};

} // namespace

BackendUnderTest underTest(const char* name, memory::MemoryStore::Mode mode)
{
    return {name, [mode] { return std::make_unique<MemoryUnderTest>(mode); }};
}

INSTANTIATE_TEST_SUITE_P(
    Memory, BackendConformance,
    ::testing::Values(underTest("memory", memory::MemoryStore::Mode::Exclusive),
                      underTest("shared-memory", memory::MemoryStore::Mode::Shared)));

TEST(MemoryBackendTest, SaysThatItKeepsNothing)
{
    memory::MemoryBackend backend(std::make_shared<memory::MemoryStore>());
    EXPECT_FALSE(backend.traits().durable);
    EXPECT_FALSE(backend.traits().shared);
    EXPECT_EQ(backend.sizeBytes(), 0U);
}

TEST(MemoryBackendTest, TwoBackendsOnOneStoreSeeOneState)
{
    const auto store = std::make_shared<memory::MemoryStore>();
    memory::MemoryBackend first(store);
    memory::MemoryBackend second(store);
    RecordingListener firstListener;
    RecordingListener secondListener;
    ASSERT_TRUE(first.start(firstListener).ok());
    ASSERT_TRUE(second.start(secondListener).ok());

    first.commit({Draft().put(metaKey("a"), metaValue("1"))});
    ASSERT_EQ(firstListener.takeOutcomes(1).size(), 1U);
    second.commit({Draft().when(absent(metaKey("a"))).put(metaKey("a"), metaValue("2"))});
    const auto outcomes = secondListener.takeOutcomes(1);
    ASSERT_EQ(outcomes.size(), 1U);
    EXPECT_TRUE(std::holds_alternative<backend::Conflict>(outcomes[0].result));
    first.stop();
    second.stop();
}

TEST(MemoryBackendTest, AServerOfASharedStoreHearsOfTheCommitsOfTheOthers)
{
    const auto store = std::make_shared<memory::MemoryStore>(memory::MemoryStore::Mode::Shared);
    memory::MemoryBackend first(store);
    memory::MemoryBackend second(store);
    RecordingListener firstListener;
    RecordingListener secondListener;
    ASSERT_TRUE(first.start(firstListener).ok());
    ASSERT_TRUE(second.start(secondListener).ok());
    EXPECT_TRUE(first.traits().shared);

    first.commit({Draft().put(metaKey("a"), metaValue("1"))});
    ASSERT_EQ(firstListener.takeOutcomes(1).size(), 1U);
    second.sync(backend::ReadId(1));
    const auto upTo = secondListener.takeCaughtUp(backend::ReadId(1));
    ASSERT_TRUE(upTo && upTo->ok());
    EXPECT_EQ(**upTo, Revision(1));
    EXPECT_EQ(secondListener.changesReported(), 1U) << "before the sync was answered";
    first.stop();
    second.stop();
}

} // namespace octostore::test
