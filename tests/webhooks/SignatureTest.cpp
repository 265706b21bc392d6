// SPDX-License-Identifier: MIT
#include "Signature.h"

#include "SecretBox.h"
#include "support/FakeRandom.h"
#include "support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <filesystem>

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

TEST(SignatureTest, WhatIsNoBase64IsRefused)
{
    for (const char* text : {"AAE", "AAE=A", "A===", "AA-_", "AAEC AwQ"})
        EXPECT_FALSE(fromBase64(text)) << text;
    EXPECT_EQ(fromBase64("AAE="), std::string("\0\1", 2));
}

TEST(SecretBoxTest, OnlyTheSameKeyAndWebhookOpenWhatWasSealed)
{
    test::FakeRandom random;
    const SecretBox box(random.bytes<32>()), other(random.bytes<32>());
    std::string sealed = box.seal("the secret", "webhook-1", random);
    EXPECT_EQ(sealed.find("secret"), std::string::npos);
    EXPECT_EQ(box.unseal(sealed, "webhook-1"), "the secret");
    EXPECT_FALSE(box.unseal(sealed, "webhook-2"));
    EXPECT_FALSE(other.unseal(sealed, "webhook-1"));
    sealed[20] = sealed[20] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(box.unseal(sealed, "webhook-1"));
}

TEST(SecretBoxTest, TheKeyFileIsMadeOnceAndMustBePrivate)
{
    namespace fs = std::filesystem;
    const test::TemporaryDirectory directory;
    const std::string file = directory.file("key");
    test::FakeRandom random;
    EXPECT_FALSE(SecretBox::read(file)->usable());
    EXPECT_FALSE(fs::exists(file)) << "reading makes none";
    const auto first = SecretBox::open(file, random);
    ASSERT_TRUE(first);
    const auto second = SecretBox::open(file, random);
    ASSERT_TRUE(second);
    EXPECT_EQ(second->unseal(first->seal("x", "w", random), "w"), "x");
    EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    fs::permissions(file, fs::perms::group_read, fs::perm_options::add);
    EXPECT_FALSE(SecretBox::open(file, random));
}

} // namespace
} // namespace octostore::webhooks
