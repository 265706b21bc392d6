// SPDX-License-Identifier: MIT
#include <octostore/base/Base64.h>
#include <octostore/base/Digest.h>

#include <gtest/gtest.h>

#include <vector>

namespace octostore
{
namespace
{

std::span<const std::uint8_t> bytesIn(const std::string& text)
{
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::optional<std::string> fromUrl(std::string_view text, std::size_t size)
{
    std::vector<std::uint8_t> bytes(size);
    if (!fromBase64Url(text, bytes))
        return std::nullopt;
    return std::string(bytes.begin(), bytes.end());
}

TEST(Base64Test, WhatWasWrittenIsReadAgainInBothAlphabets)
{
    std::string all;
    for (int byte = 255; byte >= 0; --byte)
    {
        EXPECT_EQ(fromBase64(toBase64(all)), all) << all.size();
        EXPECT_EQ(fromUrl(toBase64Url(bytesIn(all)), all.size()), all) << all.size();
        all += static_cast<char>(byte);
    }
    EXPECT_EQ(toBase64("\xfb\xff"), "+/8=");
    EXPECT_EQ(toBase64Url(bytesIn("\xfb\xff")), "-_8");
    EXPECT_EQ(toBase64(bytesIn("foobar")), "Zm9vYmFy");
}

TEST(Base64Test, Base64UrlHasNoPaddingAndNoCharacterThatUrlsEscape)
{
    const auto encode = [](const std::string& text) { return toBase64Url(bytesIn(text)); };
    EXPECT_EQ(encode(""), "");
    EXPECT_EQ(encode("f"), "Zg");
    EXPECT_EQ(encode("fo"), "Zm8");
    EXPECT_EQ(encode("foo"), "Zm9v");
    EXPECT_EQ(encode("foob"), "Zm9vYg");
    EXPECT_EQ(encode("\xfb\xff\xfe"), "-__-");
    EXPECT_EQ(toBase64Url(Digest{}).size(), 43U);
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
        for (std::size_t size = 0; size < 4; ++size)
            EXPECT_FALSE(fromUrl(text, size)) << text;
    EXPECT_EQ(fromUrl("AAE", 2), std::string("\0\1", 2));
    for (const std::size_t size : {0U, 1U, 3U})
        EXPECT_FALSE(fromUrl("AAE", size)) << "there is room for other " << size;
    EXPECT_EQ(fromUrl("", 0), "");
}

} // namespace
} // namespace octostore
