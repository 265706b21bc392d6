// SPDX-License-Identifier: MIT
#include <octostore/base/SharedText.h>

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace octostore::test
{

TEST(SharedTextTest, CopiesShareTheirMemoryAndOutliveEachOther)
{
    SharedText copy;
    const char* memory = nullptr;
    {
        const SharedText text(std::string(100, 'x'));
        memory = text.view().data();
        copy = text;
    }
    EXPECT_EQ(copy.view().data(), memory);
    EXPECT_EQ(copy, std::string(100, 'x'));
    EXPECT_EQ(sizeof copy, sizeof(void*)) << "a million records have some";
}

TEST(SharedTextTest, AssignmentChangesOnlyWhatIsAssignedTo)
{
    SharedText a("one");
    const SharedText b = a;
    a = "two";
    EXPECT_EQ(a, "two");
    EXPECT_EQ(b, "one");
    const SharedText& itself = a;
    a = itself;
    EXPECT_EQ(a, "two");
    const SharedText c = std::move(a);
    EXPECT_EQ(c, "two");
}

TEST(SharedTextTest, AnEmptyTextIsTheSameAsNone)
{
    EXPECT_TRUE(SharedText("").empty());
    EXPECT_EQ(SharedText(std::string()), SharedText());
    EXPECT_EQ(SharedText().view(), "");
    EXPECT_NE(SharedText("a"), SharedText());
}

TEST(SharedTextTest, ACopyForOthersTellsAnEmptyTextFromNoText)
{
    EXPECT_EQ(copyOf(std::nullopt), std::nullopt);
    EXPECT_EQ(copyOf(SharedText()), std::optional<std::string>(""));
    EXPECT_EQ(copyOf(SharedText("a")), std::optional<std::string>("a"));
}

} // namespace octostore::test
