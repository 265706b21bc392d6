// SPDX-License-Identifier: MIT
#include "KeyIndex.h"

#include <gtest/gtest.h>

#include <conformance/backend/Samples.h>

namespace octostore::test
{

using sqlite::KeyIndex;
using sqlite::Place;

class KeyIndexTest : public ::testing::Test
{
protected:
    std::int64_t rowOf(const backend::Key& key) const
    {
        const std::optional<Place> place = index.find(key);
        return place ? place->row : 0;
    }
    KeyIndex index;
};

TEST_F(KeyIndexTest, UndoBringsBackWhatThereWasBeforeTheBatch)
{
    index.put(metaKey("changed"), {1, Revision(1)});
    index.put(metaKey("erased"), {2, Revision(1)});
    index.keep();

    index.put(metaKey("changed"), {1, Revision(2)});
    index.put(metaKey("changed"), {1, Revision(3)});
    index.erase(metaKey("erased"));
    index.put(metaKey("erased"), {3, Revision(3)});
    index.put(metaKey("new"), {4, Revision(3)});
    index.erase(metaKey("new"));
    index.put(metaKey("new"), {5, Revision(3)});
    index.undo();

    EXPECT_EQ(index.find(metaKey("changed"))->version, Revision(1));
    EXPECT_EQ(rowOf(metaKey("erased")), 2);
    EXPECT_FALSE(index.find(metaKey("new")));
}

TEST_F(KeyIndexTest, KeepMakesChangesStay)
{
    index.put(metaKey("a"), {1, Revision(1)});
    index.keep();
    index.undo();
    EXPECT_EQ(rowOf(metaKey("a")), 1);
}

TEST_F(KeyIndexTest, RowsGrowInEachTableAndAreNeverUsedTwice)
{
    EXPECT_TRUE(index.restore(leaseKey("a"), {7, Revision(1)}));
    EXPECT_FALSE(index.restore(leaseKey("a"), {8, Revision(1)}));
    EXPECT_EQ(index.newRow(backend::Collection::Lease), 9);
    index.undo();
    EXPECT_EQ(index.newRow(backend::Collection::Lease), 10);
    EXPECT_EQ(index.newRow(backend::Collection::Meta), 1);
    EXPECT_EQ(index.newRow(backend::Collection::Acl), 2);
}

} // namespace octostore::test
