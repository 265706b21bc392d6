// SPDX-License-Identifier: MIT
// Goal: supervisors can tell from the exit code how a server ended.
#include "ServerTest.h"

namespace octostore::test
{
namespace
{

class ProgramEndTest : public ServerTest
{
protected:
    /// The exit code of a server that is expected not to serve, and its log.
    std::pair<int, std::string> endOf(const ServerProcess::Properties& properties,
                                      const ServerProcess::Variables& variables = {})
    {
        ServerProcess server(_directory.path(), properties, variables);
        const int code = server.waitForEnd();
        return {code, server.log()};
    }

    /// The exit code of a server that has served and is told to stop; under the sanitizer, whether
    /// it has leaked too.
    int endBy(int number)
    {
        start({}, {{"LSAN_OPTIONS", "detect_leaks=1"}});
        // An idle connection does not hold the server up.
        ServerClient idle = client();
        EXPECT_EQ(expectAnswer(idle.get("/health")).status, 200);
        _server->signal(number);
        return _server->waitForEnd();
    }
    /// What looks for leaks in clang 14 crashes now and then by itself, and then nothing is known.
    bool leakCheckCrashed() const
    {
        return _server->log().find("LeakSanitizer has encountered a fatal error") !=
               std::string::npos;
    }

    static constexpr int configurationIsWrong = 78;
};

TEST_F(ProgramEndTest, ACleanShutdownIsZero)
{
    for (const int number : {SIGTERM, SIGINT})
    {
        int code = endBy(number);
        for (int again = 0; again < 4 && leakCheckCrashed(); ++again)
            code = endBy(number);
        EXPECT_EQ(code, 0) << _server->log();
    }
}

TEST_F(ProgramEndTest, AnUnknownKeyIsSeventyEight)
{
    const auto [code, log] = endOf({{"server.bnd", "127.0.0.1:0"}});
    EXPECT_EQ(code, configurationIsWrong) << log;
    EXPECT_NE(log.find("octostore.properties"), log.npos) << log;
    EXPECT_NE(log.find("server.bnd"), log.npos) << log;
}

TEST_F(ProgramEndTest, ABadValueIsSeventyEight)
{
    for (const auto& [key, value] : ServerProcess::Properties{
             {"elections.max", "0"}, {"log.level", "loud"}, {"auth.static.tokens", "no-colon"}})
    {
        const auto [code, log] = endOf({{key, value}});
        EXPECT_EQ(code, configurationIsWrong) << key << '\n' << log;
        EXPECT_NE(log.find(key), log.npos) << log;
    }
}

TEST_F(ProgramEndTest, ABadVariableIsSeventyEight)
{
    const auto [code, log] = endOf({}, {{"PUBLIC_ELECTIONS", "perhaps"}});
    EXPECT_EQ(code, configurationIsWrong) << log;
    EXPECT_NE(log.find("PUBLIC_ELECTIONS"), log.npos) << log;
}

} // namespace
} // namespace octostore::test
