// SPDX-License-Identifier: MIT
#include <octostore/base/Text.h>

#include <gtest/gtest.h>

namespace octostore
{
namespace
{

using namespace std::string_view_literals;

class TextTest : public testing::Test
{
};

TEST_F(TextTest, ValidUtf8IsAccepted)
{
    for (const std::string_view text :
         {""sv, "abc"sv, "\0"sv, "\x7F"sv, "\xC2\x80"sv, "\xDF\xBF"sv, "\xE0\xA0\x80"sv,
          "\xED\x9F\xBF"sv, "\xEE\x80\x80"sv, "\xEF\xBF\xBF"sv, "\xF0\x90\x80\x80"sv,
          "\xF4\x8F\xBF\xBF"sv, "a\xE6\xBC\xA2z"sv})
        EXPECT_TRUE(isUtf8(text)) << testing::PrintToString(text);
}

TEST_F(TextTest, BrokenUtf8IsRefused)
{
    for (const std::string_view text :
         {"\x80"sv, "\xBF"sv, "\xC0\x80"sv, "\xC1\xBF"sv, "\xC2"sv, "\xC2\x41"sv, "\xE0\x9F\xBF"sv,
          "\xE0\xA0"sv, "\xE0\xA0\x41"sv, "\xED\xA0\x80"sv, "\xED\xBF\xBF"sv, "\xF0\x8F\xBF\xBF"sv,
          "\xF0\x90\x80"sv, "\xF0\x90\x41\x80"sv, "\xF4\x90\x80\x80"sv, "\xF5\x80\x80\x80"sv,
          "\xFE"sv, "\xFF"sv, "abc\xFF"sv})
        EXPECT_FALSE(isUtf8(text)) << testing::PrintToString(text);
}

TEST_F(TextTest, EveryScalarValueCountsOnce)
{
    EXPECT_EQ(countScalars(""), 0U);
    EXPECT_EQ(countScalars("abc"), 3U);
    EXPECT_EQ(countScalars("a\xC3\xA9\xE6\xBC\xA2\xF0\x9F\x98\x80"), 4U);
}

TEST_F(TextTest, PercentEscapesAreDecodedOnce)
{
    EXPECT_EQ(percentDecode("a%2Fb%2fc"), "a/b/c");
    EXPECT_EQ(percentDecode("a+b"), "a+b");
    EXPECT_EQ(percentDecode("%252F"), "%2F");
    EXPECT_EQ(percentDecode("%00%FF"), std::string("\0\xFF", 2));
    EXPECT_EQ(percentDecode(""), "");
}

TEST_F(TextTest, BrokenPercentEscapesAreRefused)
{
    for (const std::string_view text : {"%"sv, "a%"sv, "%2"sv, "%G0"sv, "%0G"sv, "%%20"sv, "% 1"sv})
        EXPECT_EQ(percentDecode(text), std::nullopt) << text;
}

TEST_F(TextTest, LettersOutsideAsciiKeepTheirCase)
{
    EXPECT_EQ(toLower("AbZ@[`{09"), "abz@[`{09");
    EXPECT_EQ(toLower("\xC3\x89"), "\xC3\x89");
    EXPECT_TRUE(equalIgnoringCase("Content-TYPE", "content-type"));
    EXPECT_FALSE(equalIgnoringCase("a", "ab"));
    EXPECT_FALSE(equalIgnoringCase("@", "`"));
    EXPECT_FALSE(equalIgnoringCase("\xC3\x89", "\xC3\xA9"));
}

TEST_F(TextTest, TrimRemovesBlanksAtBothEndsOnly)
{
    EXPECT_EQ(trim(" \t\r\n a b \n"), "a b");
    EXPECT_EQ(trim("a"), "a");
    EXPECT_EQ(trim(""), "");
    EXPECT_EQ(trim(" \t"), "");
    EXPECT_EQ(trim("\va\f"), "\va\f");
}

TEST_F(TextTest, WhatCouldControlATerminalBecomesABlank)
{
    EXPECT_EQ(printable("\x1B[2Ja\r\n\x7F\0z"sv), " [2Ja    z");
    EXPECT_EQ(printable("\xC2\x9B"
                        "1m \xC2\xA0\xC3\xA4\xE2\x80\x9B"),
              " 1m \xC2\xA0\xC3\xA4\xE2\x80\x9B");
}

} // namespace
} // namespace octostore
