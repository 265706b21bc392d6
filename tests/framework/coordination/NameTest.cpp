// SPDX-License-Identifier: MIT
#include <octostore/coordination/Name.h>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace octostore::coordination
{
namespace
{

std::string times(std::size_t count, const std::string& text)
{
    std::string result;
    for (std::size_t i = 0; i < count; ++i)
        result += text;
    return result;
}

/// The rule that `name` breaks; empty when it breaks none.
std::string ruleBrokenBy(const std::string& name)
{
    const Result<void> checked = checkLockName(name);
    if (checked)
        return {};
    EXPECT_EQ(checked.error().code, ErrorCode::InvalidLockName) << name;
    return checked.error().message;
}

class NameTest : public testing::Test
{
};

TEST_F(NameTest, LettersAndDigitsOfEveryScriptAreTaken)
{
    const std::vector<std::string> names = {
        "issue-1842",
        "repos/acme/app/issues/1842",
        "a",
        ".",
        "a/./b",
        "...",
        "x..y",
        "__election",
        "__elections/x",
        "\xC3\xBC"                      // ü
        "ber/\xE6\x9D\xB1\xE4\xBA\xAC", // 東京
        "\xD0\xB6",                     // ж
        "\xF0\x9D\x92\x9C",             // U+1D49C, outside the basic plane
        "\xE2\x85\xA3",                 // Ⅳ, category Nl
        "\xC2\xB2",                     // ², category No
        "\xD9\xA3",                     // ٣, category Nd
        "\xE0\xA4\xBF",                 // U+093F, a mark that is Alphabetic
    };
    for (const std::string& name : names)
        EXPECT_EQ(ruleBrokenBy(name), "") << name;
}

TEST_F(NameTest, EveryOtherCharacterIsRefused)
{
    const std::vector<std::string> names = {
        "a b",
        "a%b",
        "a:b",
        "a\\b",
        std::string("a\0b", 3),
        "a\nb",
        "a~",
        "e\xCC\x81",        // U+0301, a combining accent that is not Alphabetic
        "\xE2\x80\xA8",     // U+2028
        "\xF0\x9F\x99\x82", // an emoji
        "\xC2\xA0",         // no-break space
        "\xE2\x82\xAC",     // €
        "\xFF",             // not UTF-8
        "\xC3",             // cut off
        "\xC0\xAF",         // an overlong slash
        "\xED\xA0\x80",     // a surrogate
    };
    for (const std::string& name : names)
        EXPECT_NE(ruleBrokenBy(name).find("consists of"), std::string::npos) << name;
}

TEST_F(NameTest, TheFirstBrokenRuleIsTheOneReported)
{
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"", "must not be empty"},
        {times(257, "/"), "256 bytes"},
        {"/../ ", "start or end"},
        {"a/", "start or end"},
        {"/", "start or end"},
        {"a//../ ", "`//`"},
        {"../ ", "`..`"},
        {"..", "`..`"},
        {"a/..", "`..`"},
        {" " + times(64, "a"), "consists of"},
        {times(65, "a"), "64 bytes"},
        {"b/" + times(65, "a") + "/b", "64 bytes"},
    };
    for (const auto& [name, rule] : cases)
        EXPECT_NE(ruleBrokenBy(name).find(rule), std::string::npos)
            << '"' << name << "\": " << ruleBrokenBy(name);
}

TEST_F(NameTest, LengthsCountBytesNotCharacters)
{
    const std::string component = times(32, "\xC3\xBC");
    EXPECT_EQ(ruleBrokenBy(component), "");
    EXPECT_NE(ruleBrokenBy(component + "\xC3\xBC"), "");

    const std::string name = times(3, times(63, "a") + "/") + times(64, "a");
    ASSERT_EQ(name.size(), lockNameBytesMax);
    EXPECT_EQ(ruleBrokenBy(name), "");
    EXPECT_NE(ruleBrokenBy("a/" + name.substr(1)), "");
}

TEST_F(NameTest, OnlyTheServersOwnPrefixesAreReserved)
{
    EXPECT_TRUE(isReservedLockName("__election/room"));
    EXPECT_TRUE(isReservedLockName("__octostore/x/y"));
    for (const char* name : {"__election", "__elections/x", "__octostore", "x/__election/y", "a"})
        EXPECT_FALSE(isReservedLockName(name)) << name;
}

TEST_F(NameTest, RoomIdsHaveEightToSixtyFourCharactersOfTheUrlSafeAlphabet)
{
    for (const std::string& room :
         {std::string("roomroom"), times(64, "a"), std::string("aZ09_-aZ")})
        EXPECT_TRUE(checkRoomId(room)) << room;
    for (const std::string& room :
         {std::string(), std::string("roomroo"), times(65, "a"), std::string("room.room"),
          std::string("room/room"), std::string("\xC3\xBC\xC3\xBC\xC3\xBC\xC3\xBC")})
    {
        const Result<void> checked = checkRoomId(room);
        ASSERT_FALSE(checked) << room;
        EXPECT_EQ(checked.error().code, ErrorCode::InvalidInput);
    }
}

TEST_F(NameTest, CandidateIdsHaveOneToSixtyFourCharacters)
{
    for (const std::string& candidate :
         {std::string("a"), times(64, "a"), std::string("host-1.example:8080@zone_A")})
        EXPECT_TRUE(checkCandidateId(candidate)) << candidate;
    for (const std::string& candidate : {std::string(), times(65, "a"), std::string("a b"),
                                         std::string("a/b"), std::string("\xC3\xBC")})
        EXPECT_FALSE(checkCandidateId(candidate)) << candidate;
}

TEST_F(NameTest, CandidateKeysArePrintableAscii)
{
    for (const std::string& key :
         {times(16, "k"), times(128, "k"), std::string(" !~0123456789abc")})
        EXPECT_TRUE(checkCandidateKey(key)) << key;
    for (const std::string& key :
         {std::string(), times(15, "k"), times(129, "k"), times(16, "k") + "\x7F",
          times(16, "k") + "\n", times(16, "\xC3\xBC")})
        EXPECT_FALSE(checkCandidateKey(key)) << key;
}

TEST_F(NameTest, MetadataIsCountedInScalarValues)
{
    EXPECT_TRUE(checkMetadata(""));
    EXPECT_TRUE(checkMetadata(times(1024, "\xF0\x9F\x99\x82")));
    const Result<void> checked = checkMetadata(times(1025, "a"));
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().code, ErrorCode::InvalidInput);
}

TEST_F(NameTest, RoomsAndTheirRecordsNameEachOther)
{
    EXPECT_EQ(leaseNameOfRoom("roomroom"), "__election/roomroom");
    EXPECT_EQ(roomOfLeaseName("__election/roomroom"), "roomroom");
    EXPECT_EQ(roomOfLeaseName("issue-1842"), "");
    EXPECT_EQ(roomOfLeaseName("__octostore/x"), "");
}

} // namespace
} // namespace octostore::coordination
