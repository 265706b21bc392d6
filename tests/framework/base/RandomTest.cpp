// SPDX-License-Identifier: MIT
#include <octostore/base/Random.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include <support/FakeRandom.h>
#include <sys/wait.h>
#include <unistd.h>

namespace octostore
{
namespace
{

class RandomTest : public testing::Test
{
protected:
    SystemRandom random;
};

TEST_F(RandomTest, UuidsHaveVersionFourAndTheRfcVariant)
{
    for (int i = 0; i < 1000; ++i)
    {
        const Uuid uuid = random.uuid();
        EXPECT_EQ(uuid.bytes[6] >> 4, 4);
        EXPECT_EQ(uuid.bytes[8] >> 6, 2);
    }
}

TEST_F(RandomTest, NothingComesTwiceAlsoAcrossBlocksAndThreads)
{
    std::mutex mutex;
    std::set<Uuid> seen;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
    {
        threads.emplace_back(
            [&]
            {
                std::set<Uuid> mine;
                for (int n = 0; n < 5000; ++n)
                    mine.insert(random.uuid());
                const std::lock_guard lock(mutex);
                seen.merge(mine);
            });
    }
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(seen.size(), 20'000U);
}

TEST_F(RandomTest, EveryLengthIsFilledToItsEnd)
{
    for (const std::size_t length : {0U, 1U, 4095U, 4096U, 4097U, 70'000U})
    {
        // A byte that stays zero in 20 fillings was never written (chance 2^-160).
        std::vector<std::uint8_t> ever(length, 0);
        for (int round = 0; round < 20; ++round)
        {
            std::vector<std::uint8_t> bytes(length, 0);
            random.fill(bytes);
            for (std::size_t i = 0; i < length; ++i)
                ever[i] |= bytes[i];
        }
        EXPECT_EQ(std::count(ever.begin(), ever.end(), 0), 0) << length;
    }
}

TEST_F(RandomTest, AChildDoesNotRepeatItsParent)
{
    random.uuid(); // there is a block to inherit now
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0)
    {
        const Uuid uuid = random.uuid();
        const bool sent = write(ends[1], uuid.bytes.data(), uuid.bytes.size()) == 16;
        _exit(sent ? 0 : 1);
    }
    Uuid ofChild;
    ASSERT_EQ(read(ends[0], ofChild.bytes.data(), ofChild.bytes.size()), 16);
    close(ends[0]);
    close(ends[1]);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_NE(random.uuid(), ofChild);
}

TEST_F(RandomTest, AFakeRepeatsItselfForTheSameSeedOnly)
{
    test::FakeRandom a(7);
    test::FakeRandom b(7);
    test::FakeRandom c(8);
    const Uuid first = a.uuid();
    EXPECT_EQ(first, b.uuid());
    EXPECT_NE(first, c.uuid());
    EXPECT_NE(first, a.uuid());
    for (int i = 0; i < 100; ++i)
        EXPECT_LE(a.number(3), 3U);
}

} // namespace
} // namespace octostore
