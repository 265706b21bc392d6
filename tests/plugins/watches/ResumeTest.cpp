// SPDX-License-Identifier: MIT
// Goal: a reader that is cut anywhere and comes back sees every transition once, in order.
// Method: a random story of one lock and one room. A reader that is never cut is the truth; others
// are cut after a random frame, or have the last frames torn away from them, and go on with the
// last id they saw, while memory reaches back more or less far.
#include "WatchFixture.h"
#include "support/TestSeed.h"

#include <octostore/base/Random.h>

#include <random>

namespace octostore::test
{
namespace
{

/// A reader of one name that remembers what a browser would.
class Reader
{
public:
    using Open = std::function<OpenStream(const std::string& lastEventId)>;

    /// Has an id from the start: who is cut without one begins anew, and what it missed is gone.
    explicit Reader(Open open) : _open(std::move(open)), _stream(_open("")) { takeUntilAnId(); }

    /// Takes what has come, but loses the last `torn` frames and the connection.
    void takeAndLose(std::size_t torn)
    {
        std::vector<std::string> frames = framesIn(_stream.read());
        frames.resize(frames.size() - std::min(torn, frames.size()));
        keep(frames);
        _stream.leave();
        _stream = _open(_lastEventId);
    }
    void takeUntil(const std::string& id)
    {
        while (_lastEventId != id)
            keep(framesIn(_stream.readUntil("\n\n")));
    }
    void takeUntilAnId() { keep(framesIn(_stream.readUntil("\nid: "))); }
    const std::vector<std::string>& events() const { return _events; }
    bool wasReset() const { return _reset; }

private:
    /// Frames of an event count when its id has come: without it they come again.
    void keep(const std::vector<std::string>& frames)
    {
        for (const std::string& frame : frames)
        {
            _reset = _reset || frame.find("event: reset") == 0;
            const std::string id = idOf(frame);
            const bool snapshot = frame.find("\"snapshot\":true") != std::string::npos;
            if (!snapshot && (_part.empty() || _part.back() != frame))
                _part.push_back(frame);
            if (id.empty())
                continue;
            _lastEventId = id;
            _events.insert(_events.end(), _part.begin(), _part.end());
            _part.clear();
        }
    }

    const Open _open;
    OpenStream _stream;
    std::string _lastEventId;
    std::vector<std::string> _part;
    std::vector<std::string> _events;
    bool _reset = false;
};

class ResumeTest : public WatchFixture
{
protected:
    /// Something happens to the lock `jobs`: it is taken, given back or handed over.
    void step()
    {
        const std::string me(_turn % 2 == 0 ? alice : bob);
        const std::string other(_turn % 2 == 0 ? bob : alice);
        if (_lease.empty())
        {
            _lease = acquire("jobs", me);
            return;
        }
        if (_random() % 2 == 0)
        {
            const auto waiter = server.begin({http::Method::Post,
                                              "/locks/jobs/acquire",
                                              {{"Authorization", "Bearer " + other}},
                                              R"({"wait_seconds":60})"});
            release("jobs", _lease, me);
            _lease = *jsonOf(waiter()).at("lease_id").asString();
            ++_turn;
            return;
        }
        release("jobs", _lease, me);
        _lease.clear();
    }

    std::mt19937 _random{static_cast<unsigned>(testSeed())};
    std::string _lease;
    unsigned _turn = 0;
};

TEST_F(ResumeTest, CutAnywhereNothingIsMissedAndNothingRepeated)
{
    const auto open = [this](const std::string& id) { return watchLock("jobs", id, root); };
    Reader whole(open);
    Reader cut(open);
    for (int i = 0; i < 300; ++i)
    {
        step();
        if (_random() % 5 == 0)
            cut.takeAndLose(_random() % 3);
        // Sometimes what it missed has to be read from the store.
        if (_random() % 7 == 0)
            journal.age(journal.newest());
    }
    whole.takeUntil(newest());
    cut.takeUntil(newest());
    EXPECT_FALSE(cut.wasReset());
    EXPECT_EQ(cut.events(), whole.events());
    EXPECT_GT(whole.events().size(), 300U) << "hand-overs are two frames";
}

TEST_F(ResumeTest, WhatIsForgottenIsAResetAndNeverAGap)
{
    for (int i = 0; i < 20; ++i)
        step();
    journal.trim(journal.newest());
    step();
    Reader late([this](const std::string& id)
                { return watchLock("jobs", id.empty() ? "1" : id, root); });
    late.takeUntil(newest());
    EXPECT_TRUE(late.wasReset());
}

} // namespace
} // namespace octostore::test
