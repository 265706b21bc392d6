// SPDX-License-Identifier: MIT
/// @file
/// The inside of the engine. Its members are defined by concern: Engine.cpp (coming and going),
/// EngineCommands.cpp (deciding), EngineOutcomes.cpp (what became of commits), EngineQueue.cpp
/// (waiting), EngineSessions.cpp (sessions), EngineRecords.cpp (what others store), EngineReads.cpp
/// (reads), EngineShared.cpp (other servers on the store), EngineFeed.cpp (what they did),
/// EngineTurns.cpp (whose waiters are next), EngineFence.cpp and EngineBarrier.cpp (commits of
/// unknown outcome).
#pragma once

#include "coordination/Deadlines.h"
#include "coordination/Engine.h"
#include "coordination/Ledger.h"
#include "coordination/Listings.h"
#include "coordination/NameTable.h"
#include "coordination/Probe.h"
#include "coordination/SessionRules.h"
#include "coordination/SessionTable.h"
#include "coordination/Syncs.h"
#include "coordination/WaitTimers.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace octostore::coordination
{

/// How often a command is decided again on the state its conditions met.
constexpr unsigned conflictsMax = 5;
/// After a commit that was certainly not made, or a sync that failed, how long nothing is tried of
/// our own accord.
constexpr std::chrono::milliseconds retryAfter{200};
/// How long a version of another server is watched beyond its TTL x 1.01: whoever wrote it goes
/// first, and then, with up to so much jitter, one of the others.
constexpr std::chrono::seconds observedLonger{1};
constexpr std::chrono::seconds observedJitter{1};
constexpr const char* unreachable = "The store does not answer; ask again.";

class Engine::State
{
public:
    explicit State(Limits limits) : _limits(std::move(limits)) {}

    // Engine.cpp
    void restore(backend::Record record, BootTime recoveredAt, Now now);
    void restored(Now now);
    void submit(Ticket ticket, Request request, Now now);
    void abandon(Ticket ticket, Now now);
    bool advance(Now now, std::size_t most);
    std::optional<BootTime> nextDeadline() const;
    void drain(Now now);
    Output take();

    // EngineShared.cpp
    void share(Sharing sharing) { _sharing = std::move(sharing); }
    void changes(std::vector<backend::Record> records, Revision upTo, Now now);
    void caughtUp(backend::ReadId sync, const Result<Revision>& upTo, Now now);

    // EngineOutcomes.cpp
    void outcomes(std::vector<backend::Outcome> outcomes, Now now);

    std::size_t inFlight() const noexcept { return _inFlight.size(); }
    const Limits& limits() const noexcept { return _limits; }
    void setLimits(Limits limits)
    {
        limits.clock = _limits.clock;
        limits.grantsFrom = _limits.grantsFrom;
        _limits = std::move(limits);
    }
    void startWith(Limits limits) { _limits = std::move(limits); }
    void measureSlicesBy(const Clock& clock) { _listings.measureBy(clock); }
    const NameTable& names() const noexcept { return _names; }

private:
    /// Somebody who has not been answered.
    struct Open
    {
        std::optional<BootTime> abandonedAt;
        Name* name = nullptr;  ///< set while it waits in the queue of a name,
        Queue::iterator place; ///< at this place
    };

    enum class Work
    {
        Decided,
        Session, ///< a command about a session
        Store,   ///< records the engine does not interpret
        Forget,  ///< erases a remembered name
        Fence,   ///< makes `original`, of unknown outcome, fail for ever
        Barrier, ///< makes all fail for ever that condition on our fence record as it was
        Turn,    ///< changes whose turn it is
        Probe,
    };

    /// A transaction without an outcome.
    struct InFlight
    {
        Work work = Work::Decided;
        Name* name = nullptr;
        NameState after;
        Reply reply;
        Pending asked; ///< who gets `reply`; what to decide again on a conflict
        /// A hand-over: who ended the lease, and is answered `Ended` or nothing (expiry).
        std::optional<Pending> ended;
        Reply endedReply;
        Queue served; ///< the waiter that is granted to, to be put back if the commit fails
        std::optional<event::Draft> event;
        std::optional<backend::LeaseRecord> granted; ///< counted in the ledger already
        Session* session = nullptr; ///< the one a Session work is about, or `after` refers to
        backend::SessionRecord sessionAfter;
        std::optional<SessionEnd> sessionEnd;
        std::vector<backend::Put> stored; ///< of a Store work
        std::vector<backend::Key> erased;
        bool settled = false; ///< fenced: it will not be applied any more
        Revision base;        ///< the version of the record it conditions on and writes
        std::unique_ptr<InFlight> original;
        backend::Value touch; ///< of a Fence: what it writes
        Revision barrier;     ///< of our fence record when it was sent
        // On shared stores only, and large: not a part of every transaction of the others.
        std::unique_ptr<backend::Value> turns;      ///< what becomes of the name's turns
        std::unique_ptr<backend::Transaction> sent; ///< of a Store, to be repeated
    };

    /// The end of a lease that may be handed over in the same transaction.
    struct Ending
    {
        Pending asked;
        Write write;
    };

    struct QueueFigures
    {
        std::size_t present = 0;
        metrics::Histogram joined{metrics::queueBounds()};

        QueueCounts counts() const { return {present, joined.sample()}; }
    };

    // Engine.cpp
    void route(Pending pending, Now now);

    // EngineShared.cpp
    bool refuseIfLost(const Pending& pending);
    std::uint64_t nextSync() const noexcept { return _syncs.next(); }
    bool mayTell(const Pending& pending) const noexcept
    {
        return !_sharing || pending.ticket == Ticket(0) || _syncs.covers(pending.sync);
    }
    bool mayTell(const Waiter& waiter) const noexcept
    {
        return !_sharing || _syncs.covers(waiter.sync);
    }
    static bool needsSync(const Query& query) noexcept;
    void defer(Pending pending);
    void deferInOrder(Name& name, Pending pending);
    void hold(Name& name, std::uint64_t sync);
    void hold(Session& session, std::uint64_t sync);
    void beginSync();
    void notCaughtUp(std::uint64_t sync, Now now);
    void refuseHeld(Name& name, Now now);
    void release(std::uint64_t sync, Now now);
    void adoptDeadline(backend::Deadline& deadline, Milliseconds ttl, BootTime recoveredAt,
                       Now now);
    void observe(backend::Deadline& deadline, Milliseconds ttl, Now now);
    void conflictedShared(InFlight work, const backend::Conflict& conflict, Now now);
    void sessionConflicted(InFlight work, Now now);

    // EngineFeed.cpp
    Revision knownVersion(const backend::Key& key, Revision version) const;
    void learn(backend::Record record, Now now);
    void learnLease(backend::Record record, Now now);
    void learnAcl(backend::Record record, Now now);
    void learnSession(backend::Record record, Now now);
    void learnSessionEnd(Session& session, Now now);
    void replaceLease(Name& name, std::optional<backend::LeaseRecord> lease, Revision version,
                      Now now);
    void learnOthers(Name& name, NameState& after, InFlight& work, Revision revision);
    void learnMeta(const backend::Record& record);

    // EngineTurns.cpp
    static backend::Key turnsKey(const Name& name);
    static bool isTurns(const backend::Key& key) noexcept;
    bool othersTurn(const Name& name) const;
    void learnTurns(backend::Record record, Now now);
    void noteTurns(Name& name, backend::Record record, Now now);
    void changeTurns(const Name& name, const std::vector<std::string>& servers,
                     backend::Transaction& transaction, InFlight& work) const;
    void takeTurn(const Name& name, backend::Transaction& transaction, InFlight& work) const;
    void behindOthers(Name& name, Pending pending);
    std::optional<BootTime> turnDue(const Name& name, BootTime now) const;
    void turn(Name& name, Now now);
    void endCooling(Name& name, Now now);
    void turnFailed(InFlight work, const Error& error, Now now);

    // EngineBarrier.cpp
    backend::Key fenceRecord() const;
    static bool needsBarrier(const InFlight& work) noexcept;
    void conditionOnBarrier(backend::Transaction& transaction) const;
    bool barrierMet(const backend::Conflict& conflict) const;
    void bar(InFlight original);
    void raiseBarrier();
    void raiseBarrierAgain(Now now);
    void barrierDone(const backend::Outcome& outcome, Now now);
    void resolveBarred(std::uint64_t sync, bool known, Now now);
    void resolve(InFlight original, Now now);
    std::optional<Revision> foundDone(const InFlight& original, bool& overtaken) const;
    std::optional<Revision> foundStored(const InFlight& original, bool& overtaken) const;
    std::optional<Revision> foundAcl(const InFlight& original, bool& overtaken) const;
    void repeatStore(InFlight work);
    void leaveUnknown(Now now);

    // EngineFence.cpp
    static bool canFence(const InFlight& work) noexcept;
    static backend::Key fenceKey(const InFlight& work);
    void fence(InFlight original);
    void sendFence(InFlight fence);
    void fenceAgain(Now now);
    void fenced(InFlight fence, const backend::Outcome& outcome, Now now);
    void fenceHeld(InFlight fence, Revision revision, Now now);
    void fenceMet(InFlight fence, const backend::Record& current, Now now);

    // EngineCommands.cpp
    void execute(Name& name, Pending pending, Now now);
    void settle(Name& name, Now now);
    bool mayExecute(const Name& name, Now now) const;
    void commit(Name& name, Pending asked, Write write, Now now);
    void send(InFlight work, backend::Transaction transaction, Priority priority);
    void endWithHandOver(Name& name, Ending ending, Now now);
    bool grantNext(Name& name, Ending* ending, Now now);
    void grantTo(Name& name, Queue::iterator place, Write write, Ending* ending, Now now);
    void reply(Ticket ticket, Reply reply);
    void refuse(Ticket ticket, ErrorCode code, const char* message);
    Scope scopeOf(const Command& command);
    Scope scopeAfter(const backend::LeaseRecord* ending, const Command& command);
    bool isAbandoned(Ticket ticket) const;
    std::optional<BootTime> dueOf(const Name& name, BootTime now) const;
    void reschedule(Name& name, Now now);
    void act(Name& name, Now now);
    bool serveWaiters(Name& name, Now now);
    std::optional<BootTime> endDue(const Name& name) const;
    void expire(Name& name, Now now);
    bool forget(Name& name, Now now);

    // EngineOutcomes.cpp
    void applied(InFlight work, const backend::Committed& commit, Now now);
    void failed(InFlight work, const Error& error, Now now);
    void conflicted(InFlight work, const backend::Conflict& conflict, Now now);
    void publish(InFlight& work, Revision revision);
    void answer(Name& name, const Pending& asked, Reply reply, Now now);
    void apply(Name& name, NameState after, Now now);
    void publishRenewal(const Name& name, const backend::LeaseRecord& lease, Now now);
    void decideAgain(Name& name, Pending asked);
    /// All of a name that `work` would have settled.
    void decideAnew(InFlight work, Now now);

    // EngineQueue.cpp
    QueueFigures& queuesOf(const Waiter& waiter);
    void wait(Name& name, Pending pending, Reply ifNot);
    Queue::iterator enqueue(Activity& activity, Waiter waiter, bool inFront);
    void seat(Name& name, Queue::iterator place);
    void stopWaiting(const Waiter& waiter);
    Queue remove(Name& name, Queue::iterator place);
    void putBack(Name& name, Queue served, Now now);
    void joinHolder(Name& name, const std::string& identity);
    void leave(Name& name, Queue::iterator place, BootTime since);
    std::size_t waitIsOver(Name& name, Queue::iterator place, Now now);
    std::size_t answerWaiter(Name& name, Queue::iterator place, Now now);
    bool isFreeFor(const Name& name, const Waiter& waiter, Now now);
    void answerOverdue(Name& name, Now now);
    bool advanceWaits(Now now, std::size_t most);
    static std::string identityOf(const Command& command);

    // EngineSessions.cpp
    void restoreSession(backend::Record record, BootTime recoveredAt, Now now);
    void submitSession(Pending pending, Now now);
    void executeSession(Session& session, Pending pending, Now now);
    void settleSession(Session& session, Now now);
    void sessionApplied(InFlight work, const backend::Committed& commit, Now now);
    void sessionEnded(Session& session, Now now);
    void sessionFailed(InFlight work, const Error& error, Now now);
    bool advanceSessions(Now now, std::size_t most);
    void join(Name& name);
    void leaveSession(Name& name);
    Session* sessionOf(const Command& command);

    // EngineRecords.cpp
    void store(Ticket ticket, Request request);
    void stored(InFlight work, const backend::Committed& commit, Now now);

    // EngineReads.cpp
    void read(Ticket ticket, const Request& request, const Query& query, Now now);
    void readSession(Ticket ticket, const GetSession& get, Now now);
    void listSlice(Now now);
    Counts counts(Now now) const;
    void probe(Ticket ticket, Now now);
    void probed(bool works, const Error& error, Now now);

    Limits _limits;
    NameTable _names;
    Deadlines<Name> _deadlines;
    SessionTable _sessions;
    Deadlines<Session> _sessionDeadlines;
    Remembered _remembered;
    Ledger _ledger;
    Output _output;
    std::unordered_map<Ticket, Open> _open;
    std::unordered_map<backend::TransactionId, InFlight> _inFlight;
    std::uint64_t _lastTransaction = 0;
    Revision _revision; ///< the highest committed
    bool _draining = false;
    /// After a commit that was certainly not made, nothing is tried of our own accord before this.
    BootTime _retryAt = BootTime::min();

    WaitTimers _waitTimers;
    QueueFigures _lockQueues;
    QueueFigures _roomQueues;

    std::optional<Sharing> _sharing; ///< nothing: the store is exclusive
    Syncs _syncs;
    /// Erasures that the feed has not passed yet.
    std::map<backend::Key, Revision> _erased;
    std::deque<std::pair<BootTime, InFlight>> _fences; ///< to be tried again
    bool _storeLost = false;
    Revision _barrier;                ///< of our fence record; 0: there is none
    bool _raising = false;            ///< it is being written
    std::optional<BootTime> _raiseAt; ///< to be tried again
    /// Of unknown outcome, until they cannot be applied any more and, then, until that sync.
    std::vector<InFlight> _barred;
    std::vector<std::pair<std::uint64_t, InFlight>> _barredUntil;

    std::map<backend::Key, backend::Record> _records; ///< those the engine does not interpret
    Listings _listings{_names, _sessions, _ledger};
    Probe _probe;
    std::uint64_t _acquired = 0;
    std::uint64_t _released = 0;
    std::uint64_t _expired = 0;
};

} // namespace octostore::coordination
