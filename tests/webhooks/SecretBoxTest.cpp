// SPDX-License-Identifier: MIT
#include "SecretBox.h"

#include "support/FakeRandom.h"
#include "support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace
{
std::atomic<ino_t> syncedFolder{0}; ///< the last
}

/// Stands in for the system's, which it calls.
extern "C" __attribute__((visibility("default"))) int fsync(int descriptor)
{
    struct stat status = {};
    if (::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode))
        syncedFolder = status.st_ino;
    return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

namespace octostore::webhooks
{
namespace
{

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

TEST(SecretBoxTest, TheNameOfANewKeyFileOutlivesAPowerCut)
{
    const test::TemporaryDirectory directory;
    test::FakeRandom random;
    struct stat folder = {};
    ASSERT_EQ(::stat(directory.file(".").c_str(), &folder), 0);
    syncedFolder = 0;
    ASSERT_TRUE(SecretBox::open(directory.file("key"), random));
    EXPECT_EQ(syncedFolder, folder.st_ino);
}

} // namespace
} // namespace octostore::webhooks
