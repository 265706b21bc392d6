// SPDX-License-Identifier: MIT
#include "Signature.h"

#include <gtest/gtest.h>

namespace octostore::webhooks
{
namespace
{

constexpr const char* secret2 = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
constexpr const char* secret3 = "whsec_ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=";
constexpr const char* body2 =
    R"({"type":"lock.acquired","timestamp":"2023-11-14T22:13:20Z","data":{"name":"a"}})";
constexpr std::int64_t time2 = 1'700'000'000;

TEST(SignatureTest, TheVectorsOfStandardWebhooksHold)
{
    EXPECT_EQ(signatureHeader({"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"},
                              "msg_p5jXN8AQM9LWM0D4loKWxJek", 1'614'265'330,
                              R"({"test": 2432232314})"),
              "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    EXPECT_EQ(signatureHeader({secret2}, "evt_0001", time2, body2),
              "v1,PbbGKxopf/HUxAjvdVX39kw+1XgzxxVzALrl3gAD1uA=");
    EXPECT_EQ(signatureHeader({secret2}, "evt_0001", time2, ""),
              "v1,7/ndnTan4E1y7NqZGHH/kemJVGpxukTz/I5X7VLEuhQ=");
    EXPECT_EQ(signatureHeader({secret2}, "evt_0001", time2, "{\"n\":\"é漢\"}"),
              "v1,F3hqw4psV+W7VStLxPCFdaRrmM1xqCnnINvkxz5nagw=");
}

TEST(SignatureTest, ARotationSignsWithBothSecretsTheNewFirst)
{
    EXPECT_EQ(signatureHeader({secret3, secret2}, "evt_0001", time2, body2),
              "v1,24Wl3yhdxLM3g3UDScCilhsXJy4A4NkdRby5zddWLek= "
              "v1,PbbGKxopf/HUxAjvdVX39kw+1XgzxxVzALrl3gAD1uA=");
}

} // namespace
} // namespace octostore::webhooks
