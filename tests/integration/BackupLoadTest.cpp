// SPDX-License-Identifier: MIT
// Goal: a copy of the store that is taken while 20,000 locks a second are acquired has every lease
// that was acknowledged before, and commits go on meanwhile.
// Method: the engine and the default store in this process, because HTTP would take what the
// machine has; the copy becomes a store with the program's own command and is served by it.
#include "BackupFixture.h"
#include "SqliteBackend.h"
#include "SteadyLoad.h"
#include "support/HttpClient.h"

#include <octostore/plugin/AbiTag.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <thread>

namespace octostore::test
{
namespace
{

using Instant = SteadyLoad::Instant;

bool sanitized()
{
    return std::string_view(OCTOSTORE_SANITIZER_TAG) != "none";
}

class BackupLoadTest : public BackupFixture
{
protected:
    struct Times
    {
        Instant begun;
        Instant copying;
        Instant copied;
        Instant ended;
    };

    /// Loads a store, copies it in the middle of it, and gives what was granted when.
    Times copyUnderLoad()
    {
        sqlite::Options options;
        options.path = file("octostore.db");
        options.clock = &_clock;
        auto opened = sqlite::SqliteBackend::open(std::move(options));
        EXPECT_TRUE(opened) << opened.error().message;
        sqlite::SqliteBackend& store = **opened;
        coordination::Limits limits;
        limits.leasesPerPrincipalMax = 10'000'000;
        coordination::EngineThread engine(store, _clock, _random, limits, Logger(), [](Error) {});
        EXPECT_TRUE(engine.start());

        Times times;
        times.begun = std::chrono::steady_clock::now();
        // More than are asked for even while a slow machine copies.
        SteadyLoad load(engine, _clock, rate, 60 * rate);
        load.awaitGranted(2 * rate);
        times.copying = std::chrono::steady_clock::now();
        EXPECT_TRUE(store.snapshot(file("b.db"), [&] { return !goesOn(load); }));
        times.copied = std::chrono::steady_clock::now();
        load.await(std::min(load.answered() + rate / 4, 60 * rate));
        times.ended = std::chrono::steady_clock::now();
        load.stop();
        engine.stop();
        report(load, times);
        _grants = load.grants();
        return times;
    }

    /// In the middle of the copy more is granted. It makes the copy longer, too: long against what
    /// anybody may wait.
    bool goesOn(const SteadyLoad& load) const
    {
        const std::size_t until = load.answered() + rate / 10;
        const Instant guard = std::chrono::steady_clock::now() + std::chrono::seconds(120);
        while (load.answered() < until && std::chrono::steady_clock::now() < guard)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        EXPECT_GE(load.answered(), until) << "the copy stops commits";
        return load.answered() >= until;
    }

    /// For people: how fast depends on the machine, and goesOn() holds that commits do not stop.
    static void report(const SteadyLoad& load, const Times& times)
    {
        const auto tell = [&load](const char* when, Instant from, Instant until)
        {
            std::cout << when << ": " << static_cast<int>(load.rateBetween(from, until))
                      << " acquires/s, longest pause " << load.longestPauseMs(from, until)
                      << " ms\n";
        };
        tell("before the copy", times.begun, times.copying);
        tell("during the copy", times.copying, times.copied);
        tell("after the copy", times.copied, times.ended);
        std::cout << "the copy took "
                  << std::chrono::duration<double>(times.copied - times.copying).count()
                  << " s; longest wait " << load.longestWaitMs(times.begun, times.copying)
                  << " ms before it, " << load.longestWaitMs(times.copying, times.copied)
                  << " ms during it\n";
    }

    /// Every lock there is, with its term.
    std::map<std::string, std::int64_t> listed()
    {
        std::map<std::string, std::int64_t> terms;
        std::string after;
        for (ServerClient connection = client(alice);;)
        {
            const auto page = expectAnswer(connection.get("/locks?limit=10000" + after));
            const JsonValue::Object json = page.json();
            for (const JsonValue& lock : *json.at("locks").asArray())
            {
                const JsonValue::Object& one = *lock.asObject();
                terms[*one.at("name").asString()] = *one.at("fencing_token").asInteger();
            }
            if (json.count("next") == 0)
                return terms;
            after = "&after=" + *json.at("next").asString();
        }
    }

    std::int64_t highestTerm() const
    {
        std::uint64_t highest = 0;
        for (const SteadyLoad::Grant& grant : _grants)
            highest = std::max(highest, grant.term.value());
        return static_cast<std::int64_t>(highest);
    }

    /// The first frame of the events behind `id`.
    std::string firstEventBehind(const std::string& id)
    {
        HttpClient connection(_port);
        connection.noted = true;
        connection.get("/events", "Accept: text/event-stream\r\nX-Admin-Key: the-admin-key\r\n"
                                  "Last-Event-ID: " +
                                      id + "\r\n");
        const auto head = connection.receiveHead();
        EXPECT_TRUE(head && head->status == 200);
        return connection.readChunk().value_or("");
    }

    const std::size_t rate = sanitized() ? 2'000 : 20'000;
    SystemClock _clock;
    SystemRandom _random;
    std::vector<SteadyLoad::Grant> _grants;
};

TEST_F(BackupLoadTest, EveryLeaseAcknowledgedBeforeIsThereAndEveryTermIsNew)
{
    const Times times = copyUnderLoad();
    ASSERT_EQ(restore("b.db", "new.db"), 0) << _errors;
    startRestored("new.db");
    const auto there = listed();
    std::size_t before = 0; // granted before the copy began
    for (std::size_t i = 0; i < _grants.size(); ++i)
    {
        const SteadyLoad::Grant& grant = _grants[i];
        // What waited too long, because the machine stood still, was refused.
        if (grant.answered == Instant() || grant.answered > times.copying || grant.term == Term())
            continue;
        ++before;
        const auto found = there.find(SteadyLoad::nameOf(i));
        ASSERT_NE(found, there.end()) << SteadyLoad::nameOf(i);
        ASSERT_EQ(found->second, static_cast<std::int64_t>(grant.term.value())) << i;
    }
    EXPECT_GE(before, 2 * rate);
    EXPECT_EQ(acquire("fresh").status, 503) << "leases of the old server may be live";
    EXPECT_EQ(firstEventBehind("5").find("event: reset"), 0U);
    killServer();

    ASSERT_EQ(restore("b.db", "now.db", {"--grant-now"}), 0) << _errors;
    startRestored("now.db");
    const ServerAnswer granted = acquire("fresh");
    EXPECT_EQ(granted.text("status"), "acquired") << granted.body;
    EXPECT_GT(granted.number("fencing_token"), highestTerm());
}

} // namespace
} // namespace octostore::test
