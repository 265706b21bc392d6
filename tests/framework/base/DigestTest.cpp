// SPDX-License-Identifier: MIT
#include <octostore/base/Digest.h>

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace octostore
{
namespace
{

class DigestTest : public testing::Test
{
};

TEST_F(DigestTest, Sha256AgreesWithTheStandard)
{
    EXPECT_EQ(toHex(sha256("")),
              "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(toHex(sha256("abc")),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(toHex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(toHex(sha256(std::string(1'000'000, 'a'))),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_F(DigestTest, HmacAgreesWithRfc4231)
{
    struct Vector
    {
        std::string key;
        std::string message;
        std::string_view expected;
    };
    const std::vector<Vector> vectors{
        {std::string(20, '\x0b'), "Hi There",
         "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
        {"Jefe", "what do ya want for nothing?",
         "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
        {std::string(20, '\xaa'), std::string(50, '\xdd'),
         "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
        {std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First",
         "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
        {std::string(131, '\xaa'),
         "This is a test using a larger than block-size key and a larger than block-size data. The "
         "key needs to be hashed before being used by the HMAC algorithm.",
         "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"},
    };
    for (const Vector& vector : vectors)
        EXPECT_EQ(toHex(hmacSha256(vector.key, vector.message)), vector.expected);
}

TEST_F(DigestTest, HmacTakesAnEmptyKeyAndMessage)
{
    EXPECT_EQ(toHex(hmacSha256("", "")),
              "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
    EXPECT_EQ(toHex(hmacSha256({}, {})), toHex(hmacSha256("", "")));
}

TEST_F(DigestTest, ThreadsDoNotDisturbOneAnother)
{
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
    {
        threads.emplace_back(
            []
            {
                const Digest expected = sha256("abc");
                for (int round = 0; round < 1000; ++round)
                    ASSERT_EQ(sha256("abc"), expected);
            });
    }
    for (std::thread& thread : threads)
        thread.join();
}

TEST_F(DigestTest, SecretsAreEqualOnlyWhenEveryByteIs)
{
    EXPECT_TRUE(equalSecrets("", ""));
    EXPECT_TRUE(equalSecrets("secret", "secret"));
    EXPECT_FALSE(equalSecrets("secret", "secreT"));
    EXPECT_FALSE(equalSecrets("secret", "secre"));
    Digest other = sha256("a");
    EXPECT_TRUE(equalSecrets(sha256("a"), other));
    other.back() ^= 1U;
    EXPECT_FALSE(equalSecrets(sha256("a"), other));
}

TEST_F(DigestTest, HexIsLowerCase)
{
    const std::array<std::uint8_t, 3> bytes{0x00, 0xAF, 0xFF};
    EXPECT_EQ(toHex(bytes), "00afff");
}

} // namespace
} // namespace octostore
