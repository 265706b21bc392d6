// SPDX-License-Identifier: MIT
#include <octostore/config/PropertiesText.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace octostore::config
{
namespace
{

using testing::HasSubstr;

class PropertiesTextTest : public testing::Test
{
protected:
    /// The value of the only property.
    static std::string valueOf(std::string_view text)
    {
        const PropertiesText parsed = parseProperties(text, "f");
        EXPECT_TRUE(parsed.problems.empty()) << text << ": " << parsed.problems[0].toString();
        EXPECT_EQ(parsed.properties.size(), 1U) << text;
        return parsed.properties.empty() ? "" : parsed.properties[0].value;
    }
    /// The only problem.
    static std::string problemOf(std::string_view text)
    {
        const PropertiesText parsed = parseProperties(text, "f");
        EXPECT_EQ(parsed.problems.size(), 1U) << testing::PrintToString(text);
        return parsed.problems.empty() ? "" : parsed.problems[0].toString();
    }
};

TEST_F(PropertiesTextTest, KeysValuesAndLinesAreRead)
{
    const PropertiesText parsed =
        parseProperties("# comment\n\n  a.b = one two \r\n\t#another\nc=d=e\nf =", "f");
    ASSERT_TRUE(parsed.problems.empty());
    ASSERT_EQ(parsed.properties.size(), 3U);
    EXPECT_EQ(parsed.properties[0].key, "a.b");
    EXPECT_EQ(parsed.properties[0].value, "one two");
    EXPECT_EQ(parsed.properties[0].line, 3U);
    EXPECT_EQ(parsed.properties[1].key, "c");
    EXPECT_EQ(parsed.properties[1].value, "d=e");
    EXPECT_EQ(parsed.properties[1].line, 5U);
    EXPECT_EQ(parsed.properties[2].value, "");
}

TEST_F(PropertiesTextTest, NothingInAValueIsSpecial)
{
    EXPECT_EQ(valueOf("a = pa${b}ss"), "pa${b}ss");
    EXPECT_EQ(valueOf("a = C:\\temp\\new"), "C:\\temp\\new");
    EXPECT_EQ(valueOf("a = \\u00e9 # ! : ="), "\\u00e9 # ! : =");
    EXPECT_EQ(valueOf("a = caf\xC3\xA9"), "caf\xC3\xA9");
    EXPECT_EQ(valueOf("a = x\ty"), "x\ty");
}

TEST_F(PropertiesTextTest, ABackslashAtTheEndJoinsTheNextLine)
{
    EXPECT_EQ(valueOf("a = x,\\\n    y,\\\n\tz\n"), "x,y,z");
    EXPECT_EQ(valueOf("a = x \\\n  y"), "x y");
    EXPECT_EQ(valueOf("a \\\n = x"), "x");
    EXPECT_EQ(valueOf("a = x\\\r\n  #y"), "x#y");
    EXPECT_EQ(valueOf("a = x\\\\\n#c\n"), "x\\\\");
    EXPECT_EQ(valueOf("a = x\\\n\n"), "x");
    const PropertiesText parsed = parseProperties("a = x\\\n y\nb = z", "f");
    EXPECT_EQ(parsed.properties.at(1).line, 3U);
}

TEST_F(PropertiesTextTest, ACommentDoesNotGoOn)
{
    EXPECT_EQ(valueOf("# c \\\na = x"), "x");
}

TEST_F(PropertiesTextTest, BrokenLinesAreReportedWithTheirNumber)
{
    EXPECT_THAT(problemOf("\na b"), HasSubstr("f:2: has no ="));
    EXPECT_THAT(problemOf("= x"), HasSubstr("f:1: has no key"));
    EXPECT_THAT(problemOf("! note"), HasSubstr("comments start with #"));
    EXPECT_THAT(problemOf("!include = x"), HasSubstr("comments start with #"));
    EXPECT_THAT(problemOf("a b = x"), HasSubstr("blank or colon"));
    EXPECT_THAT(problemOf("a: x = y"), HasSubstr("blank or colon"));
    EXPECT_THAT(problemOf("a = \xFF"), HasSubstr("UTF-8"));
    EXPECT_THAT(problemOf("a = x\x01"), HasSubstr("control character"));
    EXPECT_THAT(problemOf(std::string_view("a = x\0y", 7)), HasSubstr("control character"));
    EXPECT_THAT(problemOf("a = x\\"), HasSubstr("no next line"));
    EXPECT_THAT(problemOf("a = x\rb = y"), HasSubstr("control character"));
}

TEST_F(PropertiesTextTest, AKeyThatComesTwiceIsReportedWithItsFirstLine)
{
    const PropertiesText parsed = parseProperties("a = 1\nb = 2\na = 3\na = 4", "f");
    ASSERT_EQ(parsed.problems.size(), 2U);
    EXPECT_EQ(parsed.problems[0].toString(), "f:3: a: is set in line 1 already");
    EXPECT_EQ(parsed.problems[1].line, 4U);
    EXPECT_EQ(parsed.properties[0].value, "1");
}

TEST_F(PropertiesTextTest, AByteOrderMarkInFrontIsNoPartOfTheFirstKey)
{
    const PropertiesText parsed = parseProperties("\xEF\xBB\xBF"
                                                  "a = 1\n",
                                                  "f");
    ASSERT_EQ(parsed.properties.size(), 1U);
    EXPECT_EQ(parsed.properties[0].key, "a");
    EXPECT_EQ(parseProperties("\xEF\xBB\xBF", "f").problems.size(), 0U);
    EXPECT_EQ(parseProperties("a = 1\n\xEF\xBB\xBF"
                              "b = 2\n",
                              "f")
                  .properties[1]
                  .key,
              "\xEF\xBB\xBF"
              "b")
        << "only in front";
}

TEST_F(PropertiesTextTest, ReadingGoesOnBehindAProblem)
{
    const PropertiesText parsed = parseProperties("x\na = 1\ny\nb = 2", "f");
    EXPECT_EQ(parsed.problems.size(), 2U);
    EXPECT_EQ(parsed.properties.size(), 2U);
}

} // namespace
} // namespace octostore::config
