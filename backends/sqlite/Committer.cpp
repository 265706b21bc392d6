// SPDX-License-Identifier: MIT
#include "Committer.h"

#include "CommitFigures.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <pthread.h>

namespace octostore::sqlite
{

namespace
{

constexpr std::size_t batchMax = 512;
constexpr std::chrono::milliseconds batchTimeMax{8};
/// Taken at once: small, so that the time limit is kept and each class gets its share of what time
/// allows.
constexpr std::size_t sliceMax = 64;

void failAll(std::vector<backend::Outcome>& outcomes, const Error& error)
{
    for (backend::Outcome& outcome : outcomes)
        outcome.result = backend::Failed{error};
}

} // namespace

Committer::Committer(const Options& options, const StoreFiles& files, Writer& writer,
                     Checkpointer& checkpointer, Turn& turn, Loss& loss)
    : _options(options),
      _files(files),
      _writer(writer),
      _checkpointer(checkpointer),
      _turn(turn),
      _loss(loss)
{
}

Committer::~Committer()
{
    stop();
}

void Committer::start(backend::BackendListener& listener)
{
    _listener = &listener;
    _thread = std::thread([this] { run(); });
    pthread_setname_np(_thread.native_handle(), "sqlite-commit");
}

void Committer::commit(std::vector<backend::Transaction> batch)
{
    {
        MutexLock lock(_mutex);
        for (backend::Transaction& transaction : batch)
        {
            const Priority priority = transaction.priority;
            _queue.push(priority, std::move(transaction));
        }
    }
    _wake.notify_one();
}

void Committer::read(backend::ReadId request, std::vector<backend::Key> keys)
{
    ask({request, std::move(keys)});
}

void Committer::sync(backend::ReadId request)
{
    ask({request, std::nullopt});
}

void Committer::ask(Question question)
{
    {
        MutexLock lock(_mutex);
        _questions.push_back(std::move(question));
    }
    _wake.notify_one();
}

void Committer::stop()
{
    {
        MutexLock lock(_mutex);
        _stopping = true;
    }
    _wake.notify_one();
    if (_thread.joinable())
        _thread.join();
}

void Committer::run() noexcept
{
    while (waitForWork())
    {
        if (_unsettled)
            settle();
        if (const std::optional<Error> error = obstacle())
            refuseQueued(*error);
        else
            commitBatch();
        answerQuestions();
    }
    _nextTry = BootTime{};
    if (_unsettled)
        settle();
    if (_unsettled)
    {
        failAll(*_unsettled, {ErrorCode::OutcomeUnknown,
                              "The server stopped before it could tell whether the database has "
                              "this change."});
        report(*std::move(_unsettled));
    }
}

bool Committer::waitForWork()
{
    MutexLock lock(_mutex);
    while (_queue.empty() && _questions.empty() && !_stopping)
    {
        if (!_unsettled || _loss.happened())
            lock.wait(_wake);
        else if (!lock.waitFor(_wake, _pause))
        {
            _nextTry = BootTime{}; // the pause is over
            return true;
        }
    }
    return !(_stopping && _queue.empty() && _questions.empty());
}

std::vector<backend::Transaction> Committer::take(std::size_t most)
{
    MutexLock lock(_mutex);
    return _queue.take(most);
}

std::optional<Error> Committer::obstacle() const
{
    if (_loss.happened())
        return Error{ErrorCode::Unavailable, "The store is lost; the server is stopping."};
    if (_unsettled)
        return Error{ErrorCode::Unavailable,
                     "The database failed in the middle of a commit and has not answered since."};
    return std::nullopt;
}

void Committer::commitBatch()
{
    {
        MutexLock lock(_mutex);
        if (_queue.empty())
            return;
    }
    // Cheap, and it saves every commit between the removal of the file and the next look of the
    // thread that watches it.
    if (Result<void> same = _files.check(); !same)
    {
        _loss.declare(same.error());
        refuseQueued(same.error());
        return;
    }
    Outcomes outcomes;
    Ending ending;
    {
        TurnLock turn(_turn);
        const BootTime began = _options.clock->bootTime();
        const Result<void> filled = fill(outcomes);
        const BootTime written = _options.clock->bootTime();
        ending = filled ? _writer.commit() : _writer.abandon(filled.error());
        count(ending, outcomes.size(), began, written);
    }
    conclude(std::move(outcomes), std::move(ending));
}

void Committer::count(const Ending& ending, std::size_t transactions, BootTime began,
                      BootTime written)
{
    if (_options.figures == nullptr)
        return;
    _options.figures->transactions.add(transactions);
    if (ending.kind != Ending::Kind::Committed)
        return _options.figures->failures.add();
    const BootTime now = _options.clock->bootTime();
    _options.figures->batch.observe(now - began);
    _options.figures->sync.observe(now - written);
}

Result<void> Committer::fill(Outcomes& outcomes)
{
    Result<void> state = _writer.begin();
    const BootTime end = _options.clock->bootTime() + batchTimeMax;
    do
    {
        std::vector<backend::Transaction> slice =
            take(std::min(sliceMax, batchMax - outcomes.size()));
        if (slice.empty())
            break;
        for (backend::Transaction& transaction : slice)
        {
            outcomes.push_back({transaction.id, backend::Failed{}});
            if (!state)
                continue;
            Result<backend::Outcome> applied = _writer.apply(std::move(transaction));
            if (applied)
                outcomes.back() = *std::move(applied);
            else
                state = applied.error();
        }
    } while (state && outcomes.size() < batchMax && _options.clock->bootTime() < end);
    return state;
}

void Committer::conclude(Outcomes outcomes, Ending ending)
{
    switch (ending.kind)
    {
    case Ending::Kind::Committed:
        _failing = false;
        report(std::move(outcomes));
        if (const std::uint32_t pages = _writer.logPages(); _checkpointer.mustFinish(pages))
            _checkpointer.finished(pages, _writer.copyLog());
        return;
    case Ending::Kind::Unchanged:
        if (!std::exchange(_failing, true))
            _options.logger.error("The database cannot be written; until it can, every change is "
                                  "refused.",
                                  {{"reason", ending.error->message}});
        failAll(outcomes, {ErrorCode::Unavailable, ending.error->message});
        report(std::move(outcomes));
        break;
    case Ending::Kind::Unknown:
        _options.logger.error("A commit failed; nobody is told until its fate is known.",
                              {{"reason", ending.error->message}});
        _unsettled = std::move(outcomes);
        _pause = _options.settlePause;
        _nextTry = BootTime{};
        break;
    }
    declareIfDamaged(*ending.error);
}

void Committer::report(Outcomes outcomes)
{
    if (_options.failPoint)
        static_cast<void>(_options.failPoint("report", nullptr));
    if (!outcomes.empty())
        _listener->outcomes(std::move(outcomes));
}

void Committer::refuseQueued(const Error& error)
{
    for (;;)
    {
        const std::vector<backend::Transaction> slice = take(batchMax);
        if (slice.empty())
            return;
        Outcomes outcomes;
        outcomes.reserve(slice.size());
        for (const backend::Transaction& transaction : slice)
            outcomes.push_back({transaction.id, backend::Failed{error}});
        report(std::move(outcomes));
    }
}

void Committer::settle()
{
    if (_loss.happened() || _options.clock->bootTime() < _nextTry)
        return;
    std::optional<Result<bool>> settled;
    {
        TurnLock turn(_turn);
        settled = _writer.settle();
    }
    if (!*settled)
    {
        declareIfDamaged(settled->error());
        _options.logger.warning("The fate of a commit is still unknown.",
                                {{"reason", settled->error().message},
                                 {"retry_ms", static_cast<std::int64_t>(_pause.count())}});
        _nextTry = _options.clock->bootTime() + _pause;
        _pause = std::min(_pause * 2, _options.settlePauseMax);
        return;
    }
    const bool committed = **settled;
    _options.logger.info("The fate of the commit is known.", {{"committed", committed}});
    Outcomes outcomes = *std::exchange(_unsettled, std::nullopt);
    if (!committed)
        failAll(outcomes,
                {ErrorCode::Unavailable, "The database failed; nothing of it was committed."});
    report(std::move(outcomes));
}

void Committer::answerQuestions()
{
    std::deque<Question> questions;
    {
        MutexLock lock(_mutex);
        questions.swap(_questions);
    }
    for (const Question& question : questions)
        answer(question);
}

void Committer::answer(const Question& question)
{
    const std::optional<Error> error = obstacle();
    if (!question.keys)
        return _listener->caughtUp(question.id,
                                   error ? Result<Revision>(*error) : _writer.committedRevision());
    if (error)
        return _listener->records(question.id, *error);
    Result<std::vector<backend::Record>> found = _writer.read(*question.keys);
    if (!found)
        declareIfDamaged(found.error());
    _listener->records(question.id, std::move(found));
}

void Committer::declareIfDamaged(const Error& error)
{
    if (error.code == ErrorCode::Corrupt)
        _loss.declare(error);
}

} // namespace octostore::sqlite
