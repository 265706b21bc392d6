// SPDX-License-Identifier: MIT
/// @file
/// A dispatcher whose time, journal and receivers are the test's.
#pragma once

#include "Dispatcher.h"
#include "plugins/watches/MemoryJournal.h"
#include "support/FakeClock.h"
#include "support/FakeRandom.h"

#include <octostore/base/Mutex.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace octostore::test
{

constexpr const char* signingSecret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

/// What comes of an attempt that is answered so.
inline webhooks::Attempt answered(int status, std::optional<Milliseconds> retryAfter = {})
{
    webhooks::Attempt attempt;
    attempt.status = status;
    attempt.retryAfter = retryAfter;
    if (status < 200 || status > 299)
        attempt.reason = "http_" + std::to_string(status / 100) + "xx";
    return attempt;
}

/// What comes of an attempt that has no answer.
inline webhooks::Attempt unanswered(const std::string& reason)
{
    webhooks::Attempt attempt;
    attempt.reason = reason;
    return attempt;
}

/// Receivers that do what the test says. Thread-safety: thread-safe.
class FakeSender final : public webhooks::Sender
{
public:
    using Receiver = std::function<webhooks::Attempt(const webhooks::Outgoing&)>;
    struct Sent
    {
        WallTime at;
        webhooks::Outgoing message;

        std::string header(const std::string& name) const
        {
            for (const auto& [known, value] : message.headers)
                if (known == name)
                    return value;
            return {};
        }
    };

    explicit FakeSender(const Clock& clock) : _clock(clock) {}

    /// By host; whoever has none answers 200.
    void setReceiver(const std::string& host, Receiver receiver)
    {
        MutexLock lock(_mutex);
        _receivers[host] = std::move(receiver);
    }
    webhooks::Attempt send(const webhooks::Outgoing& message) noexcept override
    {
        Receiver receiver;
        {
            MutexLock lock(_mutex);
            _sent.push_back({_clock.wallTime(), message});
            receiver = _receivers[message.url.host];
        }
        return receiver ? receiver(message) : answered(200);
    }
    void stop() noexcept override {}
    std::vector<Sent> sent() const
    {
        MutexLock lock(_mutex);
        return _sent;
    }
    std::size_t count() const { return sent().size(); }

private:
    const Clock& _clock;
    mutable Mutex _mutex;
    std::map<std::string, Receiver> _receivers OCTOSTORE_GUARDED_BY(_mutex);
    std::vector<Sent> _sent OCTOSTORE_GUARDED_BY(_mutex);
};

/// Keeps what the store would. Thread-safety: thread-safe.
class FakeRecords final : public webhooks::DispatcherRecords
{
public:
    struct Report
    {
        event::Type type;
        std::string reason;
    };

    void saveCursor(const std::string& webhook, std::string document,
                    std::function<void(bool)> done) override
    {
        MutexLock lock(_mutex);
        _cursors[webhook] = std::move(document);
        _unsaid.push_back(std::move(done));
    }
    void disable(const webhooks::WebhookPtr& webhook, std::string reason) override
    {
        if (whenDisabling)
            whenDisabling();
        report(webhook, event::Type::WebhookDisabled, std::move(reason));
    }
    void report(const webhooks::WebhookPtr&, event::Type type, std::string reason) override
    {
        MutexLock lock(_mutex);
        _reports.push_back({type, std::move(reason)});
    }
    /// What was to be saved is so, but nobody is told.
    void forget()
    {
        MutexLock lock(_mutex);
        _unsaid.clear();
    }
    /// What was to be saved is durable.
    void settle()
    {
        std::vector<std::function<void(bool)>> unsaid;
        {
            MutexLock lock(_mutex);
            unsaid.swap(_unsaid);
        }
        for (const auto& done : unsaid)
            done(true);
    }
    webhooks::Cursor cursor(const std::string& webhook) const
    {
        MutexLock lock(_mutex);
        const auto found = _cursors.find(webhook);
        return found == _cursors.end() ? webhooks::Cursor()
                                       : *webhooks::decodeCursor(found->second);
    }
    std::function<void()> whenDisabling; ///< set before anything is sent
    std::vector<std::string> reasonsOf(event::Type type) const
    {
        MutexLock lock(_mutex);
        std::vector<std::string> reasons;
        for (const Report& report : _reports)
            if (report.type == type)
                reasons.push_back(report.reason);
        return reasons;
    }

private:
    mutable Mutex _mutex;
    std::map<std::string, std::string> _cursors OCTOSTORE_GUARDED_BY(_mutex);
    std::vector<std::function<void(bool)>> _unsaid OCTOSTORE_GUARDED_BY(_mutex);
    std::vector<Report> _reports OCTOSTORE_GUARDED_BY(_mutex);
};

/// Nothing happens by itself: the dispatcher steps when time passes.
/// Thread-safety: thread-compatible.
class DispatcherStage
{
public:
    explicit DispatcherStage(std::uint64_t seed = 1) : random(seed) { restart(); }

    /// As `webhooks.retry` has it by default.
    static std::vector<Milliseconds> schedule()
    {
        using namespace std::chrono_literals;
        return {5s, 5min, 30min, 2h, 5h, 10h, 14h, 20h, 24h};
    }
    /// A new dispatcher; what it knew is lost.
    void restart()
    {
        dispatcher.reset();
        records.forget();
        webhooks::DispatcherOptions options;
        options.retry.delays = schedule();
        options.incarnation = "0a1b";
        dispatcher = std::make_unique<webhooks::Dispatcher>(
            webhooks::DispatcherParts{
                clock, random, journal, sender, records, nullptr, figures, {}},
            std::move(options));
    }
    /// Of an administrator, for all locks, delivered to https://NAME/.
    static webhooks::Webhook webhook(const std::string& name)
    {
        webhooks::Webhook made;
        made.id = name;
        made.admin = true;
        made.url = *webhooks::TargetUrl::parse("https://" + name + "/");
        made.secret = signingSecret;
        made.events = {"*"};
        return made;
    }
    void put(webhooks::Webhook webhook, const webhooks::Cursor& cursor = {}) const
    {
        dispatcher->put(std::make_shared<const webhooks::Webhook>(std::move(webhook)), cursor);
    }
    /// One event for each of the locks.
    void happen(const std::vector<std::string>& locks)
    {
        std::vector<event::EventPtr> batch;
        for (const std::string& lock : locks)
        {
            event::Event event;
            event.sequence = Sequence(++last);
            event.what.type = event::Type::LockAcquired;
            event.what.facts = {event.what.type};
            event.what.name = lock;
            event.what.time = clock.wallTime();
            event.what.request = {random.uuid()};
            batch.push_back(std::make_shared<const event::Event>(std::move(event)));
        }
        journal.add(batch);
    }
    /// `count` events, each of a lock of its own whose name begins so.
    void happen(std::size_t count, const std::string& prefix = "lock-")
    {
        std::vector<std::string> locks;
        for (std::size_t i = 0; i < count; ++i)
            locks.push_back(prefix + std::to_string(last + i));
        happen(locks);
    }
    void pass(BootClock::duration time)
    {
        clock.advance(time);
        dispatcher->step();
        records.settle();
    }
    void step() { pass({}); }

    FakeClock clock;
    FakeRandom random;
    MemoryJournal journal;
    FakeSender sender{clock};
    FakeRecords records;
    webhooks::Figures figures;
    std::uint64_t last = 0; ///< sequence
    std::unique_ptr<webhooks::Dispatcher> dispatcher;
};

} // namespace octostore::test
