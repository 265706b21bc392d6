// SPDX-License-Identifier: MIT
#include "KeyTable.h"

#include "support/TestSeed.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace octostore::test
{

using sqlite::KeyTable;
using sqlite::Place;

class KeyTableTest : public ::testing::Test
{
protected:
    /// 0: not there.
    std::int64_t rowOf(const std::string& name) const
    {
        const auto place = table.find(name);
        return place ? place->row : 0;
    }
    KeyTable table;
};

TEST_F(KeyTableTest, PutAndEraseTellWhatThereWasBefore)
{
    EXPECT_FALSE(table.find("a"));
    EXPECT_FALSE(table.erase("a"));
    EXPECT_FALSE(table.put("a", {1, Revision(5)}));
    EXPECT_EQ(table.put("a", {1, Revision(6)})->version, Revision(5));
    EXPECT_EQ(table.find("a")->version, Revision(6));
    EXPECT_EQ(table.erase("a")->version, Revision(6));
    EXPECT_FALSE(table.find("a"));
    EXPECT_EQ(table.size(), 0U);
}

TEST_F(KeyTableTest, NamesAreTheirBytesWhateverThoseAre)
{
    const std::string zero(1, '\0');
    table.put("", {1, {}});
    table.put(zero, {2, {}});
    table.put(zero + zero, {3, {}});
    table.put(std::string(70'000, 'x'), {4, {}});
    EXPECT_EQ(rowOf(""), 1);
    EXPECT_EQ(rowOf(zero), 2);
    EXPECT_EQ(rowOf(zero + zero), 3);
    EXPECT_EQ(rowOf(std::string(70'000, 'x')), 4);
    EXPECT_EQ(rowOf(std::string(69'999, 'x')), 0);
}

TEST_F(KeyTableTest, NamesWithTheSameHashAreToldApart)
{
    // Of so many names a dozen pairs share the 32 bits that are kept of a hash.
    constexpr std::int64_t names = 300'000;
    for (std::int64_t n = 1; n <= names; ++n)
        ASSERT_FALSE(table.put("name-" + std::to_string(n), {n, {}})) << n;
    for (std::int64_t n = 1; n <= names; ++n)
        ASSERT_EQ(rowOf("name-" + std::to_string(n)), n);
    EXPECT_EQ(table.size(), std::size_t{names});
}

/// Method: the same random changes to a map; few names in a small table, so that they are close
/// together and gaps are closed in every way.
TEST_F(KeyTableTest, AgreesWithAMapAfterRandomChanges)
{
    const auto seed = test::testSeed();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    std::map<std::string, std::int64_t> model;
    for (std::int64_t step = 1; step <= 20'000; ++step)
    {
        const std::string name = std::to_string(random() % 64);
        const std::int64_t before = model.count(name) > 0 ? model[name] : 0;
        const bool erases = random() % 2 == 0;
        const auto was = erases ? table.erase(name) : table.put(name, {step, {}});
        ASSERT_EQ(was ? was->row : 0, before) << step;
        if (erases)
            model.erase(name);
        else
            model[name] = step;
        ASSERT_EQ(table.size(), model.size());
        for (const auto& [known, row] : model)
            ASSERT_EQ(rowOf(known), row) << known << " after step " << step;
    }
}

} // namespace octostore::test
