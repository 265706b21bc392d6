// SPDX-License-Identifier: MIT
// Goal: an agent whose network is cut stops its command before another agent leads.
// Method: the agent lives in a network namespace that a pair of virtual interfaces joins to ours;
// one of them is taken down. Needs the rights to make these, and is skipped without.
#include "CliTest.h"
#include "RealServer.h"

#include <cstdlib>
#include <memory>
#include <thread>

#include <unistd.h>

namespace octostore::test
{

using namespace std::chrono_literals;

class NetworkCutTest : public CliTest
{
protected:
    void SetUp() override
    {
        CliTest::SetUp();
        const std::string setUp = "ip netns add " + space() + " && ip link add " + outer() +
                                  " type veth peer name " + inner() + " netns " + space() +
                                  " && ip addr add " + address(1) + "/30 dev " + outer() +
                                  " && ip link set " + outer() + " up" + //
                                  " && ip -n " + space() + " addr add " + address(2) + "/30 dev " +
                                  inner() + " && ip -n " + space() + " link set " + inner() + " up";
        if (!shell(setUp))
            GTEST_SKIP() << "network namespaces are not allowed here, or there is no ip command";
        _server = std::make_unique<RealServer>(_directory, "0.0.0.0:0");
    }
    void TearDown() override
    {
        _server.reset();
        shell("ip link del " + outer());
        shell("ip netns del " + space());
        CliTest::TearDown();
    }

    static bool shell(const std::string& command)
    {
        return std::system((command + " 2> /dev/null").c_str()) == 0;
    }
    static std::string space() { return "octostore-" + std::to_string(::getpid()); }
    static std::string outer() { return "oo" + std::to_string(::getpid()); }
    static std::string inner() { return "oi" + std::to_string(::getpid()); }
    /// Of a network of four addresses that no other process has: runs go on side by side.
    /// 198.18.0.0/15 is for such tests and has room for 32768.
    static std::string address(unsigned host)
    {
        const auto number = static_cast<unsigned>(::getpid()) % 32'768;
        return "198." + std::to_string(18 + number / 16'384) + "." +
               std::to_string(number / 64 % 256) + "." + std::to_string(number % 64 * 4 + host);
    }
    ClientProcess::Words run(const std::string& candidate, const std::string& what,
                             const std::string& out) const
    {
        return {"run",         "--election",
                "network-cut", "--candidate",
                candidate,     "--ttl",
                "15",          "--allow-insecure-http",
                "--",          OCTOSTORE_TEST_WORKER,
                what,          path("lock"),
                path(out)};
    }

    std::unique_ptr<RealServer> _server;
};

TEST_F(NetworkCutTest, TheTreeIsGoneBeforeAnotherLeads)
{
    const std::string url = "http://" + address(1) + ":" + std::to_string(_server->port());
    ClientProcess first(run("a", "tree", "ready"),
                        {{"OCTOSTORE_URL", url}, {"TMPDIR", _directory.string()}}, "",
                        {"ip", "netns", "exec", space()});
    ASSERT_TRUE(appears("ready"));
    ClientProcess second(run("b", "probe", "out"),
                         {{"OCTOSTORE_URL", _server->url()}, {"TMPDIR", _directory.string()}});
    ASSERT_TRUE(shell("ip link set " + outer() + " down"));
    EXPECT_EQ(first.wait(), 20) << first.errors();
    ASSERT_TRUE(appears("out"));
    EXPECT_EQ(read(path("out")), "free");
}

} // namespace octostore::test
