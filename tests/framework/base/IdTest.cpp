// SPDX-License-Identifier: MIT
#include <octostore/base/Id.h>

#include <gtest/gtest.h>

namespace octostore
{
namespace
{

class UuidTest : public testing::Test
{
protected:
    static constexpr std::string_view text = "00112233-4455-6677-8899-aabbccddeeff";
    static constexpr Uuid uuid{{0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA,
                                0xBB, 0xCC, 0xDD, 0xEE, 0xFF}};
};

TEST_F(UuidTest, EveryAcceptedFormMeansTheSame)
{
    for (const char* form :
         {"00112233-4455-6677-8899-aabbccddeeff", "00112233-4455-6677-8899-AABBCCDDEEFF",
          "00112233445566778899aabbccddeeff", "00112233445566778899AaBbCcDdEeFf",
          "{00112233-4455-6677-8899-aabbccddeeff}", "urn:uuid:00112233-4455-6677-8899-aabbccddeeff",
          "URN:UUID:00112233-4455-6677-8899-aabbccddeeff"})
        EXPECT_EQ(Uuid::parse(form), uuid) << form;
}

TEST_F(UuidTest, OtherFormsAreRefused)
{
    for (const char* form :
         {"", "0", "00112233-4455-6677-8899-aabbccddeef", "00112233-4455-6677-8899-aabbccddeefff",
          "00112233-4455-6677-8899-aabbccddeefg", "001122334-455-6677-8899-aabbccddeeff",
          "00112233445566778899aabbccddeef-", "00112233445566778899aabbccddeefg",
          "{00112233445566778899aabbccddeeff}", "{00112233445566778899aabbccddeeff0000}",
          "{00112233-4455-6677-8899-aabbccddeeff", "00112233-4455-6677-8899-aabbccddeeff}",
          "urn:uuid:00112233445566778899aabbccddeeff",
          "urn:uuie:00112233-4455-6677-8899-aabbccddeeff", " 00112233-4455-6677-8899-aabbccddeeff",
          "00112233_4455_6677_8899_aabbccddeeff"})
        EXPECT_EQ(Uuid::parse(form), std::nullopt) << form;
}

TEST_F(UuidTest, IsWrittenInLowerCaseWithHyphens)
{
    EXPECT_EQ(uuid.toString(), text);
    EXPECT_EQ(Uuid{}.toString(), "00000000-0000-0000-0000-000000000000");
    EXPECT_TRUE(Uuid{}.isNil());
    EXPECT_FALSE(uuid.isNil());
}

TEST_F(UuidTest, RequestIdsCarryAPrefixOnTheWire)
{
    EXPECT_EQ(toWire(RequestId{uuid}), "req_00112233445566778899aabbccddeeff");
}

} // namespace
} // namespace octostore
