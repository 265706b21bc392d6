// SPDX-License-Identifier: MIT
// Goal: the server on a disk that is full, fails or is taken away refuses what it cannot keep,
// answers what it can, ends leases by rule, and goes on by itself when the disk is well again.
// Method: the real program with a disk that fails or turns read-only when the test says so, with a
// limit on the size of its files, on a small file system, and with its files removed or replaced.
#include "SharedPlan.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <thread>
#include <vector>

#include <integration/ServerTest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

namespace octostore::test
{
namespace
{

namespace fs = std::filesystem;

constexpr std::chrono::seconds patience{60};
constexpr std::size_t probesMax = 20;

/// Whether `condition` comes true.
bool eventually(const std::function<bool()>& condition)
{
    const auto giveUp = std::chrono::steady_clock::now() + patience;
    while (!condition())
    {
        if (std::chrono::steady_clock::now() > giveUp)
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return true;
}

class ServerStorageTest : public ServerTest
{
protected:
    /// As start(), with the faulty disk below the store.
    void startOnFaultyDisk()
    {
        const fs::path plugins = _directory.path() / "plugins";
        if (fs::create_directory(plugins))
        {
            for (const auto& entry : fs::directory_iterator(OCTOSTORE_PLUGIN_DIRECTORY))
                fs::create_symlink(entry.path(), plugins / entry.path().filename());
            fs::remove(plugins / "backend-sqlite.so");
            fs::create_symlink(OCTOSTORE_FAULTY_STORE, plugins / "backend-sqlite.so");
        }
        _server = std::make_unique<ServerProcess>(
            _directory.path(),
            ServerProcess::Properties{{"plugins.directory", plugins.string()},
                                      {"locks.per_principal_max", "1000000"}},
            ServerProcess::Variables{{"FAULT_PLAN", _directory.file("plan")}});
        const auto port = _server->port();
        ASSERT_TRUE(port) << port.error().message;
        _port = *port;
    }

    static Result<ServerAnswer> acquire(ServerClient& client, const std::string& name, int ttl)
    {
        return client.post("/locks/" + name + "/acquire",
                           "{\"ttl_seconds\":" + std::to_string(ttl) + "}");
    }
    ServerAnswer acquire(std::string_view token, const std::string& name, int ttl)
    {
        ServerClient asking = client(token);
        return expectAnswer(acquire(asking, name, ttl));
    }
    ServerAnswer renew(const ServerAnswer& acquired, const std::string& name)
    {
        return expectAnswer(client(alice).post("/locks/" + name + "/renew",
                                               "{\"lease_id\":\"" + acquired.text("lease_id") +
                                                   "\",\"ttl_seconds\":3600}"));
    }
    std::string statusOf(const std::string& name)
    {
        return expectAnswer(client(bob).get("/locks/" + name)).text("status");
    }

    void expectRefused(const ServerAnswer& answer)
    {
        EXPECT_EQ(answer.status, 503) << answer.body;
        EXPECT_EQ(answer.text("reason"), "storage_unavailable") << answer.body;
    }

    /// Whoever meets the broken disk first is answered only when its fate is known, which may be
    /// when the disk is well again. So every probe waits on a thread of its own, until one is
    /// refused; there are more of them while nobody is told anything.
    bool probeUntilRefused(std::vector<std::thread>& waiting, std::vector<std::atomic<int>>& told)
    {
        const auto refused = [&told]
        { return std::find(told.begin(), told.end(), 503) != told.end(); };
        for (std::size_t i = 0; i < told.size() && !refused(); ++i)
        {
            const auto ask = [this, i, &told]
            { told[i] = acquire(carol, "probe/" + std::to_string(i), 3600).status; };
            waiting.emplace_back(ask);
            for (int wait = 0; wait < 100 && told[i] == 0 && !refused(); ++wait)
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return eventually(refused);
    }

    /// A store that cannot write from `breakDisk` on until `mendDisk`.
    void expectRefusalAndRecovery(const std::function<void()>& breakDisk,
                                  const std::function<void()>& mendDisk)
    {
        const ServerAnswer kept = acquire(alice, "kept", 3600);
        // On a machine that stands still it may be over before anybody is told of it.
        ServerAnswer ending;
        ASSERT_TRUE(eventually(
            [this, &ending]
            {
                ending = acquire(alice, "ending", 1);
                return ending.text("status") == "acquired";
            }))
            << ending.body;
        breakDisk();

        std::vector<std::thread> waiting;
        std::vector<std::atomic<int>> told(probesMax);
        EXPECT_TRUE(probeUntilRefused(waiting, told));
        for (int i = 0; i < 3; ++i)
            expectRefused(acquire(bob, "new/" + std::to_string(i), 3600));
        expectRefused(renew(kept, "kept"));
        EXPECT_EQ(statusOf("kept"), "held") << "reads are answered";
        EXPECT_TRUE(eventually([this] { return statusOf("ending") == "free"; }))
            << "a lease ends by rule";
        EXPECT_EQ(acquire(bob, "ending", 3600).status, 503) << "and is not granted again";
        EXPECT_EQ(statusOf("new/0"), "free");

        mendDisk();
        for (std::size_t i = 0; i < waiting.size(); ++i)
        {
            waiting[i].join();
            EXPECT_TRUE(told[i] == 200 || told[i] == 503) << told[i];
            EXPECT_EQ(statusOf("probe/" + std::to_string(i)), told[i] == 200 ? "held" : "free");
        }
        ServerAnswer next;
        EXPECT_TRUE(eventually(
            [this, &next]
            {
                next = acquire(bob, "ending", 3600);
                return next.status == 200;
            }))
            << next.body;
        EXPECT_GT(next.number("fencing_token"), ending.number("fencing_token"));
        EXPECT_EQ(renew(kept, "kept").status, 200);
        killServer();
        start();
        EXPECT_EQ(statusOf("kept"), "held");
        EXPECT_EQ(statusOf("ending"), "held");
        EXPECT_EQ(statusOf("new/0"), "free");
    }

    /// The server must end by itself and say what happened to `file`.
    void expectEndBecauseOf(const std::string& file)
    {
        const int code = _server->waitForEnd();
        EXPECT_GT(code, 0) << _server->log();
        EXPECT_LT(code, 128) << _server->log();
        EXPECT_NE(_server->log().find(file + " was removed or replaced"), std::string::npos)
            << _server->log();
    }

    /// Acquires until no answer comes; returns what was answered.
    std::vector<ServerAnswer> acquireUntilDead(const std::string& prefix)
    {
        std::vector<ServerAnswer> told;
        ServerClient asAlice = client(alice);
        for (;;)
        {
            const auto answer = acquire(asAlice, prefix + std::to_string(told.size()), 3600);
            if (!answer)
                return told;
            EXPECT_EQ(answer->text("status"), "acquired") << answer->body;
            told.push_back(*answer);
            if (told.size() > 90)
                return told;
        }
    }
};

TEST_F(ServerStorageTest, AStoreThatCannotWriteRefusesAndRecovers)
{
    for (const Fault fault :
         {Fault::DiskFull, Fault::ShortWrite, Fault::WriteError, Fault::SyncError, Fault::ReadOnly})
    {
        SCOPED_TRACE(nameOf(fault));
        fs::remove(_directory.file("octostore.db"));
        for (const char* end : {"-wal", "-shm", ".lock"})
            fs::remove(_directory.file("octostore.db") + end);
        startOnFaultyDisk();
        ASSERT_FALSE(HasFatalFailure());
        SharedPlan plan(_directory.file("plan"));
        expectRefusalAndRecovery([&plan, fault] { plan->set(fault, 1, FaultPlan::forEver); },
                                 [&plan] { plan->clear(); });
        std::cout << "fault server with " << nameOf(fault) << ": fired " << plan->fired.load()
                  << " times\n";
        killServer();
    }
}

TEST_F(ServerStorageTest, AFileThatMayNotGrowIsADiskThatIsFull)
{
    start();
    ASSERT_FALSE(HasFatalFailure());
    const auto limit = [this](rlim_t bytes)
    {
        rlimit limits = {};
        ASSERT_EQ(::prlimit(_server->pid(), RLIMIT_FSIZE, nullptr, &limits), 0);
        limits.rlim_cur = bytes == 0 ? limits.rlim_max : bytes;
        ASSERT_EQ(::prlimit(_server->pid(), RLIMIT_FSIZE, &limits, nullptr), 0);
    };
    expectRefusalAndRecovery([&limit] { limit(1); }, [&limit] { limit(0); });
}

TEST_F(ServerStorageTest, TheServerKilledAtAnyOperationOfTheDiskKeepsWhatItAnswered)
{
    std::int64_t highest = 0;
    unsigned fired = 0;
    for (const Fault fault : {Fault::KillBefore, Fault::KillWithin, Fault::KillBehind})
    {
        for (std::uint32_t n = 1; n <= 22 && !HasFailure(); n += 3)
        {
            SCOPED_TRACE(std::string(nameOf(fault)) + " " + std::to_string(n));
            startOnFaultyDisk();
            ASSERT_FALSE(HasFatalFailure());
            SharedPlan plan(_directory.file("plan"));
            plan->set(fault, n, 1);
            const std::string prefix = "kill/" + std::to_string(fired) + "/";
            const std::vector<ServerAnswer> told = acquireUntilDead(prefix);
            EXPECT_EQ(_server->waitForEnd(), 128 + SIGKILL) << _server->log();
            plan->clear();
            fired += plan->fired;

            start({{"locks.per_principal_max", "1000000"}});
            ASSERT_FALSE(HasFatalFailure());
            for (std::size_t i = 0; i < told.size(); ++i)
            {
                const std::string name = prefix + std::to_string(i);
                const ServerAnswer now = expectAnswer(client(alice).get("/locks/" + name));
                EXPECT_EQ(now.number("fencing_token"), told[i].number("fencing_token")) << now.body;
                EXPECT_GT(told[i].number("fencing_token"), highest) << "a term came again";
                highest = told[i].number("fencing_token");
            }
            const ServerAnswer after = acquire(bob, prefix + "after", 3600);
            EXPECT_GT(after.number("fencing_token"), highest) << after.body;
            highest = after.number("fencing_token");
            killServer();
        }
    }
    std::cout << "fault kill of the server at an operation of the disk: fired " << fired
              << " times\n";
}

TEST_F(ServerStorageTest, ADatabaseOrLockThatIsTakenAwayEndsTheServer)
{
    for (const char* end : {"", ".lock"})
    {
        for (const bool replaced : {false, true})
        {
            start();
            ASSERT_FALSE(HasFatalFailure());
            acquire(alice, "a", 3600);
            const std::string file = _directory.file("octostore.db") + end;
            fs::rename(file, file + ".away");
            if (replaced)
                fs::copy_file(file + ".away", file);
            expectEndBecauseOf(file);
            fs::remove(file);
            fs::rename(file + ".away", file);
        }
    }
    std::cout << "fault file taken away: fired 4 times\n";
}

/// A small file system of its own, which only this process and its children see.
class SmallDiskTest : public ServerStorageTest
{
protected:
    void SetUp() override
    {
        fs::create_directory(_place);
        if (::unshare(CLONE_NEWNS) != 0 ||
            ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
            ::mount("tmpfs", _place.c_str(), "tmpfs", 0, "size=2m,mode=700") != 0)
            GTEST_SKIP() << "this user may not mount";
        _mounted = true;
    }
    void TearDown() override
    {
        _server.reset();
        if (_mounted)
            ::umount2(_place.c_str(), MNT_DETACH);
    }

    ServerProcess::Properties onSmallDisk() const
    {
        return {{"storage.database", (_place / "octostore.db").string()}};
    }

    const fs::path _place = _directory.path() / "small";
    bool _mounted = false;
};

TEST_F(SmallDiskTest, AFullFileSystemRefusesUntilThereIsRoom)
{
    start(onSmallDisk());
    ASSERT_FALSE(HasFatalFailure());
    const ServerAnswer kept = acquire(alice, "kept", 3600);
    const std::string ballast = (_place / "ballast").string();
    {
        std::ofstream file(ballast, std::ios::binary);
        const std::string block(4096, 'x');
        while (file.write(block.data(), static_cast<std::streamsize>(block.size())).flush())
        {
        }
    }
    std::string refused;
    EXPECT_TRUE(eventually(
        [this, &refused, i = 0]() mutable
        {
            refused = "new/" + std::to_string(i++);
            const ServerAnswer answer = acquire(bob, refused, 3600);
            if (answer.status != 503)
                expectAnswer(
                    client(bob).post("/locks/" + refused + "/release",
                                     "{\"lease_id\":\"" + answer.text("lease_id") + "\"}"));
            return answer.status == 503;
        }));
    EXPECT_EQ(statusOf("kept"), "held");
    EXPECT_EQ(statusOf(refused), "free");
    fs::remove(ballast);
    EXPECT_TRUE(eventually([this, &refused] { return acquire(bob, refused, 3600).status == 200; }));
    EXPECT_EQ(renew(kept, "kept").status, 200);
    killServer();
    start(onSmallDisk());
    EXPECT_EQ(statusOf("kept"), "held");
    EXPECT_EQ(statusOf(refused), "held");
    std::cout << "fault full file system: fired 1 times\n";
}

TEST_F(SmallDiskTest, AReadOnlyFileSystemIsRefusedAtTheStart)
{
    start(onSmallDisk());
    ASSERT_FALSE(HasFatalFailure());
    killServer();
    ASSERT_EQ(::mount(nullptr, _place.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr), 0);
    ServerProcess refused(_directory.path(), onSmallDisk());
    const int code = refused.waitForEnd();
    EXPECT_GT(code, 0) << refused.log();
    EXPECT_LT(code, 128) << refused.log();
    EXPECT_NE(refused.log().find(_place.string()), std::string::npos) << refused.log();
}

} // namespace
} // namespace octostore::test
