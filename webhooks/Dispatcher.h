// SPDX-License-Identifier: MIT
/// @file
/// Delivers what the journal has to whoever registered for it.
#pragma once

#include "Backlog.h"
#include "DeliveryLog.h"
#include "EndpointHealth.h"
#include "Figures.h"
#include "Pace.h"
#include "Payload.h"
#include "Sender.h"
#include "Webhook.h"
#include "WebhookCodec.h"

#include <octostore/base/Log.h>
#include <octostore/base/Mutex.h>
#include <octostore/base/Random.h>
#include <octostore/base/Time.h>
#include <octostore/event/Journal.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace octostore::webhooks
{

/// What the dispatcher has written down. saveCursor() and report() are called with its mutex held,
/// so they only append to a mailbox; disable() is not.
/// Thread-safety: thread-safe; never blocks.
class DispatcherRecords
{
public:
    virtual ~DispatcherRecords() = default;
    /// `done(true)` when the cursor is durable; on any thread.
    virtual void saveCursor(const std::string& webhook, std::string document,
                            std::function<void(bool)> done) = 0;
    /// Makes it inactive, with the event `webhook.disabled`.
    virtual void disable(const WebhookPtr& webhook, std::string reason) = 0;
    /// An event about a webhook: failing, exhausted, gap.
    virtual void report(const WebhookPtr& webhook, event::Type type, std::string reason) = 0;
};

struct DispatcherOptions
{
    RetryRules retry;
    Milliseconds maxAge{std::chrono::hours(72)};
    unsigned workers = 32;
    std::string incarnation;
};

/// Where everything it works with comes from; all must outlive it.
struct DispatcherParts
{
    const Clock& clock;
    Random& random;
    event::Journal& journal;
    Sender& sender;
    DispatcherRecords& records;
    DeliveryLog* log; ///< null: nothing is logged
    Figures& figures;
    Logger logger;
};

/// One thread reads the journal, sees to time and saves cursors; workers send. The receivers that
/// do not answer get only a part of the workers, so they cannot keep the others waiting.
/// Thread-safety: thread-safe.
class Dispatcher
{
public:
    struct Summary
    {
        std::size_t pending = 0;
        bool more = false; ///< the journal has more than is counted in `pending`
        unsigned inFlight = 0;
        std::optional<WallTime> nextRetry;
        std::optional<WallTime> failingSince;
        bool breakerOpen = false;
    };
    /// Of all webhooks together.
    struct Census
    {
        std::size_t active = 0;
        std::size_t paused = 0;   ///< by a person
        std::size_t disabled = 0; ///< by the server
        // Of those that are active:
        std::size_t breakersOpen = 0;
        std::optional<WallTime> oldest; ///< when the oldest event that waits happened
    };
    using Pinged = std::function<void(const Attempt&, const Outgoing&)>;

    Dispatcher(DispatcherParts parts, DispatcherOptions options);
    ~Dispatcher();

    void start();
    /// Instead of start(), for who has a clock of their own: reads, and makes every attempt that is
    /// due, on the caller's thread. The sender may call it again from within an attempt.
    void step() OCTOSTORE_EXCLUDES(_mutex);
    /// Attempts that are under way are broken off; they count as not made.
    void stop() OCTOSTORE_EXCLUDES(_mutex);

    /// A webhook that is new or was changed. `cursor`: where it stands, if it is not known yet.
    /// `version`: of the store; what is older than what is known changes nothing.
    void put(const WebhookPtr& webhook, const Cursor& cursor, Revision version = {})
        OCTOSTORE_EXCLUDES(_mutex);
    /// As put(), but one that is not known was removed meanwhile and stays so.
    void change(const WebhookPtr& webhook, Revision version) OCTOSTORE_EXCLUDES(_mutex);
    void remove(const std::string& id) OCTOSTORE_EXCLUDES(_mutex);
    /// Something was published, or time was let pass.
    void wake() OCTOSTORE_EXCLUDES(_mutex);

    /// One delivery again, soon, whatever became of it; `cancelled` in the log when the journal has
    /// forgotten the event. False: too many are asked for already.
    bool redeliver(const std::string& id, DeliveryKey key) OCTOSTORE_EXCLUDES(_mutex);
    /// One attempt, not counted anywhere. `done` runs on a worker. False: too many wait already, of
    /// the webhook's owner or of all.
    bool ping(WebhookPtr webhook, Pinged done) OCTOSTORE_EXCLUDES(_mutex);
    /// The deliveries that are being attempted, `delivering`, of which nothing is written, and
    /// those that wait for their first attempt, `pending`, of which not always something is.
    std::vector<DeliveryRow> underWay(const std::string& id) OCTOSTORE_EXCLUDES(_mutex);
    std::optional<Summary> summary(const std::string& id) OCTOSTORE_EXCLUDES(_mutex);
    Census census() OCTOSTORE_EXCLUDES(_mutex);
    std::size_t pending() OCTOSTORE_EXCLUDES(_mutex);

private:
    struct Line
    {
        Line(WebhookPtr made, const Cursor& cursor)
            : webhook(std::move(made)), backlog(cursor.low, webhook->ordered), unread(cursor.tried)
        {
            pace.setRate(webhook->ratePerSecond);
        }
        /// Before that nothing is sent, whatever is due.
        BootTime heldUntil() const
        {
            return std::max(pace.ready(), health.openUntil().value_or(BootTime()));
        }
        WebhookPtr webhook;
        Revision version;
        Backlog backlog;
        EndpointHealth health;
        Pace pace;
        std::vector<Cursor::Tried> unread; ///< of the cursor, still to be read from the journal
        bool dirty = false;
        bool saving = false;
        BootTime savedAt{};
        BootTime agedAt{}; ///< when it was last looked for what is too old
        Sequence saved;
        std::optional<BootTime> exhaustedAt; ///< when that was last told
    };
    struct Job
    {
        std::string line;
        WebhookPtr webhook;
        DeliveryKey key;
        event::EventPtr event;
        unsigned attempt = 1;
        Outgoing message;
        WallTime at;
        EndpointHealth::Standing standing = EndpointHealth::Standing::Unknown;
        Pinged pinged; ///< set: a ping
    };
    /// That a person may have asked for while nothing is read: it is paused, say.
    static constexpr std::size_t askedMax = 20'000;
    static constexpr std::size_t pingsWaitingMax = 64;
    static constexpr int pingsEachMax = 2; ///< that wait or are under way
    using Lines = std::map<std::string, Line>;

    // Dispatcher.cpp: the thread that sees to it all
    void run() noexcept;
    void turn();
    void change(Line& line, const WebhookPtr& webhook, Revision version) OCTOSTORE_REQUIRES(_mutex);
    std::optional<BootTime> nextDue() OCTOSTORE_REQUIRES(_mutex);

    // DispatcherReading.cpp: what is read from the journal, and what is remembered
    bool readFor(const std::string& id, Sequence after);
    void readTried(const std::string& id, const std::vector<Cursor::Tried>& tried);
    /// What is to be read again and has room in the backlog.
    static std::vector<Cursor::Tried> takeUnread(Line& line);
    void take(Line& line, const std::vector<event::EventPtr>& page, Sequence upTo)
        OCTOSTORE_REQUIRES(_mutex);
    void expire(Line& line, Now now) OCTOSTORE_REQUIRES(_mutex);
    void save(const std::string& id, Line& line, Now now) OCTOSTORE_REQUIRES(_mutex);
    /// No event above it may be forgotten.
    static Sequence neededBy(const Line& line);
    Milliseconds maxAge(const Webhook& webhook) const;
    /// The name under which the journal is held.
    static std::string holder(const std::string& id);

    // DispatcherNotes.cpp: what people are told
    void noteGap(Line& line, Sequence trimmed) OCTOSTORE_REQUIRES(_mutex);
    void noteForgotten(Line& line, const Cursor::Tried& tried) OCTOSTORE_REQUIRES(_mutex);
    /// A delivery that was tried comes to nothing; once an hour an event says so.
    void tellGivenUp(Line& line, DeliveryKey key, const std::string& why)
        OCTOSTORE_REQUIRES(_mutex);
    void note(const Webhook& webhook, const event::Event& event, DeliveryKey key, std::string state,
              unsigned attempts, std::optional<WallTime> next = {}, const Job* job = nullptr,
              const Attempt* attempt = nullptr);
    void count(const Attempt& attempt);

    // DispatcherWork.cpp: the threads that send
    void work() noexcept;
    void perform(Job job) OCTOSTORE_EXCLUDES(_mutex);
    void spawn() OCTOSTORE_REQUIRES(_mutex);
    std::optional<Job> pick(Now now) OCTOSTORE_REQUIRES(_mutex);
    bool hasPlace(const Line& line) const OCTOSTORE_REQUIRES(_mutex);
    void finished(const Job& job, const Attempt& attempt) OCTOSTORE_EXCLUDES(_mutex);
    void failed(Line& line, const Job& job, const Attempt& attempt, Now now)
        OCTOSTORE_REQUIRES(_mutex);
    /// The oldest of what waits for another attempt, when that is more than may be.
    void dropSurplus(Line& line) OCTOSTORE_REQUIRES(_mutex);
    bool wantsReader(const Line& line, Now now) const OCTOSTORE_REQUIRES(_mutex);
    /// Why the webhook is disabled now: who gets that must tell it once the mutex is free.
    std::optional<std::string> judge(Line& line, const EndpointHealth::Verdict& verdict,
                                     const Attempt& attempt, Now now) OCTOSTORE_REQUIRES(_mutex);
    double chance();

    DispatcherParts _parts;
    const DispatcherOptions _options;

    Mutex _mutex;
    std::condition_variable _changed; ///< for the reading thread
    std::condition_variable _work;    ///< for the workers
    Lines _lines OCTOSTORE_GUARDED_BY(_mutex);
    std::deque<Job> _pings OCTOSTORE_GUARDED_BY(_mutex);
    unsigned _pinging OCTOSTORE_GUARDED_BY(_mutex) = 0; ///< under way
    /// Whose pings wait or are under way; as often as there are such.
    std::vector<PrincipalId> _pingers OCTOSTORE_GUARDED_BY(_mutex);
    std::string _lastServed OCTOSTORE_GUARDED_BY(_mutex);
    bool _woken OCTOSTORE_GUARDED_BY(_mutex) = false;
    bool _started OCTOSTORE_GUARDED_BY(_mutex) = false;
    bool _stopping OCTOSTORE_GUARDED_BY(_mutex) = false;
    unsigned _idle OCTOSTORE_GUARDED_BY(_mutex) = 0;
    bool _shortOfThreads OCTOSTORE_GUARDED_BY(_mutex) = false; ///< that was told
    /// Attempts under way, by the standing their receivers had.
    std::array<unsigned, 3> _busy OCTOSTORE_GUARDED_BY(_mutex){};
    std::vector<std::thread> _workers OCTOSTORE_GUARDED_BY(_mutex);
    std::thread _thread;
};

} // namespace octostore::webhooks
