// SPDX-License-Identifier: MIT
#include "coordination/EngineThread.h"

#include "coordination/JournalTail.h"
#include "coordination/Mailbox.h"
#include "coordination/RestorePlan.h"
#include "coordination/StoreIdentity.h"

#include <functional>
#include <iterator>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include <sys/prctl.h>

namespace octostore::coordination
{

namespace
{

/// Requests worked on between two looks at the deadlines, and names ended between two looks at
/// the mailbox: neither holds up the other.
constexpr std::size_t requestsPerTurn = 1024;
constexpr std::size_t endsPerTurn = 256;

std::uint64_t seedOf(Random& random)
{
    const auto bytes = random.bytes<8>();
    std::uint64_t seed = 0;
    for (const std::uint8_t byte : bytes)
        seed = seed << 8U | byte;
    return seed;
}

/// The deadlines of a store have one clock, mostly: its text is there once while all are loaded,
/// not a million times with what stays in between.
void shareClock(backend::Record& record, SharedText& last)
{
    auto* lease = std::get_if<backend::LeaseRecord>(&record.value);
    if (lease == nullptr)
        return;
    if (lease->deadline.clock == last)
        lease->deadline.clock = last;
    else
        last = lease->deadline.clock;
}

} // namespace

class EngineThread::State
{
public:
    State(backend::Backend& backend, const Clock& clock, Random& random, Limits limits,
          Logger logger, std::function<void(Error)> lost)
        : _backend(backend),
          _clock(clock),
          _random(random),
          _logger(std::move(logger)),
          _engine(std::move(limits)),
          _mailbox(std::move(lost)),
          _tail(backend)
    {
    }

    Result<void> start();
    void share(StoreIdentity& identity, Now now);
    void run() noexcept;
    void turn(Mailbox::Content content);
    void forget(Ticket ticket, Now now);
    void answer(Output output);

    backend::Backend& _backend;
    const Clock& _clock;
    Random& _random;
    const Logger _logger;
    Engine _engine;
    Mailbox _mailbox;
    JournalTail _tail; ///< runs on shared stores only
    Publish _publish;
    Revision _loaded;
    Revision _restoredAt;
    std::thread _thread;

    // The engine thread's own:
    struct Asker
    {
        std::shared_ptr<Executor> executor;
        Continuation done;
    };
    std::unordered_map<Ticket, Asker> _askers;
    ClassQueue<Mailbox::Letter> _requests;
    bool _more = false; ///< the engine has more to do without waiting
};

EngineThread::EngineThread(backend::Backend& backend, const Clock& clock, Random& random,
                           Limits limits, Logger logger, std::function<void(Error)> lost)
    : _state(std::make_unique<State>(backend, clock, random, std::move(limits), std::move(logger),
                                     std::move(lost)))
{
}

EngineThread::~EngineThread()
{
    stop();
}

void EngineThread::publishTo(Publish publish)
{
    _state->_publish = std::move(publish);
}

Result<void> EngineThread::start()
{
    return _state->start();
}
Revision EngineThread::loaded() const noexcept
{
    return _state->_loaded;
}
Revision EngineThread::restoredAt() const noexcept
{
    return _state->_restoredAt;
}
void EngineThread::setLimits(Limits limits)
{
    _state->_mailbox.setLimits(std::move(limits));
}
void EngineThread::drain()
{
    _state->_mailbox.drain();
}

void EngineThread::stop()
{
    if (!_state->_thread.joinable())
        return;
    // The backend reports every outcome before it returns; the engine answers them, then ends.
    _state->_mailbox.drain();
    _state->_mailbox.refuseRequests();
    _state->_tail.stop();
    _state->_backend.stop();
    _state->_mailbox.close();
    _state->_thread.join();
}

Ticket EngineThread::submit(Request request, std::shared_ptr<Executor> executor,
                            Continuation done) noexcept
{
    return _state->_mailbox.submit(std::move(request), std::move(executor), std::move(done));
}

void EngineThread::abandon(Ticket ticket) noexcept
{
    _state->_mailbox.abandon(ticket);
}

Result<void> EngineThread::State::start()
{
    std::vector<backend::Record> records;
    StoreIdentity identity;
    RestoreMark restored;
    SharedText clock;
    const auto loaded = _backend.load(
        [&](backend::Record record)
        {
            identity.take(record);
            restored.take(record);
            shareClock(record, clock);
            records.push_back(std::move(record));
        });
    if (!loaded)
        return loaded.error();
    if (auto started = _backend.start(_mailbox); !started)
        return started;
    _loaded = *loaded;
    _engine.measureSlicesBy(_clock);
    const Now now = _clock.now();
    const auto recoveredAt = identity.settle(_backend, _mailbox, _random, _clock.identity(), now);
    if (!recoveredAt)
    {
        _backend.stop();
        return recoveredAt.error();
    }
    if (identity.fresh())
        records.push_back(*identity.fresh());
    _restoredAt = restored.base();
    Limits limits = _engine.limits();
    limits.grantsFrom = restored.grantsFrom(_clock.identity(), *recoveredAt, now);
    if (limits.grantsFrom && now.boot < *limits.grantsFrom)
        _logger.warning("the store was restored: nothing is granted before then, as leases from "
                        "before may be live",
                        {{"grants_at", toRfc3339(now.wall + (*limits.grantsFrom - now.boot))}});
    _engine.startWith(std::move(limits));
    const bool shared = _backend.traits().shared;
    if (shared)
        _engine.share({identity.incarnation(), seedOf(_random), _random.uuid().toString()});
    for (backend::Record& record : records)
    {
        restored.renewTime(record);
        _engine.restore(std::move(record), *recoveredAt, now);
    }
    _engine.restored(now);
    if (shared)
        share(identity, now);
    _logger.info("store loaded", {{"records", records.size()}, {"revision", loaded->value()}});
    _thread = std::thread([this] { run(); });
    return {};
}

/// Hears what the others do from now on.
void EngineThread::State::share(StoreIdentity& identity, Now now)
{
    for (Mailbox::Feed& feed : identity.takeChanges())
        _engine.changes(std::move(feed.records), feed.upTo, now);
    _tail.start(Sequence(_loaded.value()),
                [this](std::vector<event::Event> read) { _mailbox.events(std::move(read)); });
}

void EngineThread::State::run() noexcept
{
    prctl(PR_SET_NAME, "engine");
    for (;;)
    {
        const bool busy = _more || !_requests.empty();
        _mailbox.wait(busy ? BootTime::min() : _engine.nextDeadline().value_or(BootTime::max()));
        Mailbox::Content content = _mailbox.take();
        const bool closed = content.closed;
        turn(std::move(content));
        if (closed && !_more && _requests.empty())
            break;
    }
    // What was decided after the backend stopped was never committed.
    Output rest;
    for (const auto& [ticket, asker] : _askers)
        rest.replies.emplace_back(
            ticket, Refused{{ErrorCode::Draining, "The server is stopping; ask again."},
                            std::nullopt,
                            std::nullopt});
    answer(std::move(rest));
}

void EngineThread::State::turn(Mailbox::Content content)
{
    const Now now = _clock.now();
    for (Mailbox::Letter& letter : content.letters)
    {
        const Priority priority = priorityOf(letter.request);
        _askers.emplace(letter.ticket, Asker{std::move(letter.executor), std::move(letter.done)});
        _requests.push(priority, std::move(letter));
    }
    // First those who have gone: nothing of this turn is decided for them or told to them.
    for (const Ticket ticket : content.abandoned)
        forget(ticket, now);
    if (!content.outcomes.empty())
        _engine.outcomes(std::move(content.outcomes), now);
    for (Mailbox::Feed& feed : content.changes)
        _engine.changes(std::move(feed.records), feed.upTo, now);
    for (const auto& [sync, upTo] : content.caughtUp)
        _engine.caughtUp(sync, upTo, now);
    // Everything that is due ends before anybody is told that it is still there.
    _more = _engine.advance(now, endsPerTurn);
    if (content.limits)
        _engine.setLimits(*std::move(content.limits));
    if (content.drain)
        _engine.drain(now);
    for (Mailbox::Letter& letter : _requests.take(requestsPerTurn))
        if (_askers.count(letter.ticket) > 0)
            _engine.submit(letter.ticket, std::move(letter.request), now);
    Output output = _engine.take();
    std::move(content.events.begin(), content.events.end(), std::back_inserter(output.events));
    answer(std::move(output));
}

/// Whoever asked has gone. The engine answers it no more, so it is counted out here.
void EngineThread::State::forget(Ticket ticket, Now now)
{
    if (_askers.erase(ticket) == 0)
        return; // answered already
    _mailbox.answered(1);
    _engine.abandon(ticket, now);
}

void EngineThread::State::answer(Output output)
{
    if (!output.commits.empty())
        _backend.commit(std::move(output.commits));
    if (output.sync)
        _backend.sync(*output.sync);
    if (output.journal)
        _tail.completeUpTo(*output.journal);
    if (output.lost)
        _mailbox.lost(*std::move(output.lost));
    if (_publish && (!output.events.empty() || !output.renewals.empty()))
        _publish(std::move(output.events), std::move(output.renewals));
    // One post for each thread that waits for answers.
    std::unordered_map<Executor*, std::pair<std::shared_ptr<Executor>, std::vector<Task>>> posts;
    for (auto& [ticket, reply] : output.replies)
    {
        const auto found = _askers.find(ticket);
        OCTOSTORE_ASSERT(found != _askers.end());
        Asker asker = std::move(found->second);
        _askers.erase(found);
        auto& post = posts[asker.executor.get()];
        post.second.push_back([done = std::move(asker.done), told = std::move(reply)]() mutable
                              { done(std::move(told)); });
        post.first = std::move(asker.executor);
    }
    _mailbox.answered(output.replies.size());
    for (auto& [executor, post] : posts)
        executor->post(std::move(post.second));
}

} // namespace octostore::coordination
