// SPDX-License-Identifier: MIT
#include "CommitPulse.h"

#include "NotifySocket.h"

#include <octostore/base/Time.h>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

namespace octostore::program
{
namespace
{

/// An engine that answers, or stays silent.
class OneAnswer final : public coordination::Coordinator
{
public:
    coordination::Ticket submit(coordination::Request request, std::shared_ptr<Executor> executor,
                                Continuation done) noexcept override
    {
        const auto* query = std::get_if<coordination::Query>(&request.operation);
        probes += query != nullptr && std::holds_alternative<coordination::ProbeStore>(*query);
        if (answers)
            executor->post({[done = std::move(done), reply = reply] { done(reply); }});
        return coordination::Ticket(1);
    }
    void abandon(coordination::Ticket /*ticket*/) noexcept override {}

    coordination::Reply reply; ///< before the pulse begins
    std::atomic<bool> answers{true};
    std::atomic<int> probes{0};
};

class CommitPulseTest : public testing::Test
{
protected:
    Notify notify() const { return Notify(_socket.name()); }

    const NotifySocket _socket;
    OneAnswer _engine;
    SystemClock _clock;
};

TEST_F(CommitPulseTest, ItBeatsAgainAndAgainWhileCommitsAreAnswered)
{
    CommitPulse pulse(_engine, _clock, notify(), Milliseconds(5));
    for (int beat = 0; beat < 3; ++beat)
        ASSERT_EQ(_socket.received(std::chrono::seconds(30)), "WATCHDOG=1");
    EXPECT_GE(_engine.probes, 3);
}

TEST_F(CommitPulseTest, AnEngineThatStaysSilentIsNotCalledAlive)
{
    _engine.answers = false;
    CommitPulse pulse(_engine, _clock, notify(), Milliseconds(1));
    while (_engine.probes < 5)
        std::this_thread::yield();
    pulse.stop();
    EXPECT_EQ(_socket.received(std::chrono::milliseconds(0)), "");
}

TEST_F(CommitPulseTest, ARefusalThatNeedsNoEngineIsNotCalledAlive)
{
    for (const ErrorCode code : {ErrorCode::Overloaded, ErrorCode::Draining})
    {
        _engine.reply = coordination::Refused{{code, "refused"}, std::nullopt, std::nullopt};
        _engine.probes = 0;
        CommitPulse pulse(_engine, _clock, notify(), Milliseconds(1));
        while (_engine.probes < 5)
            std::this_thread::yield();
        pulse.stop();
        EXPECT_EQ(_socket.received(std::chrono::milliseconds(0)), "");
    }
}

TEST_F(CommitPulseTest, ACommitThatFailedIsAnAnswerToo)
{
    _engine.reply =
        coordination::Refused{{ErrorCode::Unavailable, "disk full"}, std::nullopt, std::nullopt};
    CommitPulse pulse(_engine, _clock, notify(), Milliseconds(5));
    EXPECT_EQ(_socket.received(std::chrono::seconds(30)), "WATCHDOG=1");
}

TEST_F(CommitPulseTest, WithoutAWatchdogNobodyIsAsked)
{
    CommitPulse pulse(_engine, _clock, notify(), std::nullopt);
    pulse.stop();
    EXPECT_EQ(_engine.probes, 0);
}

TEST_F(CommitPulseTest, TheIntervalIsHalfOfWhatTheSupervisorWaits)
{
    EXPECT_EQ(CommitPulse::interval("30000000", nullptr, 7), Milliseconds(15'000));
    EXPECT_EQ(CommitPulse::interval("30000000", "7", 7), Milliseconds(15'000));
    EXPECT_EQ(CommitPulse::interval("30000000", "8", 7), std::nullopt);
    EXPECT_EQ(CommitPulse::interval(nullptr, nullptr, 7), std::nullopt);
    for (const char* wrong : {"", "soon", "1", "30s", "-4000000"})
        EXPECT_EQ(CommitPulse::interval(wrong, nullptr, 7), std::nullopt) << wrong;
}

} // namespace
} // namespace octostore::program
