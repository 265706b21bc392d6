// SPDX-License-Identifier: MIT
#include <octostore/base/Base64.h>
#include <octostore/base/Digest.h>

#include <gtest/gtest.h>

namespace octostore
{
namespace
{

std::span<const std::uint8_t> bytesIn(const std::string& text)
{
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

TEST(Base64Test, WhatWasWrittenIsReadAgainInBothAlphabets)
{
    std::string all;
    for (int byte = 255; byte >= 0; --byte)
    {
        EXPECT_EQ(fromBase64(toBase64(all)), all) << all.size();
        EXPECT_EQ(fromBase64Url(toBase64Url(bytesIn(all))), all) << all.size();
        all += static_cast<char>(byte);
    }
    EXPECT_EQ(toBase64("\xfb\xff"), "+/8=");
    EXPECT_EQ(toBase64Url(bytesIn("\xfb\xff")), "-_8");
    EXPECT_EQ(toBase64(bytesIn("foobar")), "Zm9vYmFy");
}

TEST(Base64Test, WhatIsNoBase64IsRefused)
{
    for (const char* text : {"AAE", "AAE=A", "A===", "AA-_", "AAEC AwQ", " AAE", "AAE\n", "A=E="})
        EXPECT_FALSE(fromBase64(text)) << text;
    EXPECT_EQ(fromBase64("AAE="), std::string("\0\1", 2));
    for (const char* text : {"A", "AAAAA", "AAE=", "A+E", "A/E", "A E",
                             "\xc3\xbc"
                             "A",
                             "AA\n"})
        EXPECT_FALSE(fromBase64Url(text)) << text;
    EXPECT_EQ(fromBase64Url("AAE"), std::string("\0\1", 2));
    EXPECT_EQ(fromBase64Url(""), "");
}

} // namespace
} // namespace octostore
