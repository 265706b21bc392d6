// SPDX-License-Identifier: MIT
#include "LeaderTokenText.h"

#include "support/FakeRandom.h"

#include <octostore/base/Base64.h>

#include <gtest/gtest.h>

#include <string>

namespace octostore::coordination_api
{
namespace
{

class LeaderTokenTextTest : public testing::Test
{
protected:
    test::FakeRandom _random;
};

TEST_F(LeaderTokenTextTest, ReadsWhatWasWritten)
{
    for (int i = 0; i < 1000; ++i)
    {
        const auto token = _random.bytes<sizeof(coordination::LeaderToken)>();
        const auto read = parseLeaderToken(toBase64Url(token));
        ASSERT_TRUE(read);
        EXPECT_EQ(*read, token);
    }
}

TEST_F(LeaderTokenTextTest, RefusesWhatNoTokenIsWrittenLike)
{
    const std::string token = toBase64Url(_random.bytes<sizeof(coordination::LeaderToken)>());
    const std::string body = token.substr(0, 42);
    for (const std::string& text :
         {std::string(), std::string("x"), body, token + "A", token + "=", body + "=", body + "+",
          body + "/", body + " ", "\xC3\xBC" + token.substr(2),
          // The last character carries two bits that must be zero.
          body + "B", body + "_"})
    {
        const auto read = parseLeaderToken(text);
        ASSERT_FALSE(read) << text;
        EXPECT_EQ(read.error().code, ErrorCode::InvalidInput) << text;
        EXPECT_EQ(read.error().message.find(token), std::string::npos)
            << "secrets do not stand in errors";
    }
}

} // namespace
} // namespace octostore::coordination_api
