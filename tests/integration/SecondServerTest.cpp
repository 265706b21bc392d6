// SPDX-License-Identifier: MIT
#include "ServerTest.h"

namespace octostore::test
{
namespace
{

class SecondServerTest : public ServerTest
{
};

TEST_F(SecondServerTest, IsRefusedAndSaysWhy)
{
    start();
    ServerProcess second(_directory.path());
    const int code = second.waitForEnd();
    EXPECT_NE(code, 0);
    EXPECT_GT(code, 0) << "it must end by itself";
    EXPECT_LT(code, 128) << "and not by a signal";
    EXPECT_NE(second.log().find("Another server"), std::string::npos) << second.log();
    EXPECT_NE(second.log().find(_directory.file("octostore.db")), std::string::npos)
        << second.log();

    EXPECT_EQ(expectAnswer(client(alice).post("/locks/a/acquire", "{}")).text("status"), "acquired")
        << "the first one serves on";
}

TEST_F(SecondServerTest, MayTakeOverWhenTheFirstWasKilled)
{
    start();
    const ServerAnswer acquired =
        expectAnswer(client(alice).post("/locks/a/acquire", R"({"ttl_seconds":3600})"));
    killServer();
    start();
    const ServerAnswer status = expectAnswer(client(bob).get("/locks/a"));
    EXPECT_EQ(status.number("fencing_token"), acquired.number("fencing_token"));
}

} // namespace
} // namespace octostore::test
