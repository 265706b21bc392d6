// SPDX-License-Identifier: MIT
/// @file
/// The thread that commits: group commit, outcomes in order, and nobody told what is not known.
#pragma once

#include "Checkpointer.h"
#include "Loss.h"
#include "Options.h"
#include "StoreFiles.h"
#include "Turn.h"
#include "Writer.h"

#include <octostore/backend/Backend.h>
#include <octostore/base/ClassQueue.h>
#include <octostore/base/Mutex.h>

#include <condition_variable>
#include <deque>
#include <optional>
#include <thread>
#include <vector>

namespace octostore::sqlite
{

/// Takes what has gathered since the last commit as one transaction of the database, syncs once and
/// reports each outcome; while it syncs, the next batch gathers.
///
/// When the fate of a batch is unknown its outcomes are held back and everything new is Unavailable
/// until the fate is known; at stop() what is still unknown is reported as OutcomeUnknown.
/// Thread-safety: thread-safe.
class Committer
{
public:
    /// What it is given must outlive it.
    Committer(const Options& options, const StoreFiles& files, Writer& writer,
              Checkpointer& checkpointer, Turn& turn, Loss& loss);
    ~Committer();

    void start(backend::BackendListener& listener);
    void commit(std::vector<backend::Transaction> batch) OCTOSTORE_EXCLUDES(_mutex);
    void read(backend::ReadId request, std::vector<backend::Key> keys) OCTOSTORE_EXCLUDES(_mutex);
    void sync(backend::ReadId request) OCTOSTORE_EXCLUDES(_mutex);
    /// Commits what is queued, reports everything, ends the thread.
    void stop() OCTOSTORE_EXCLUDES(_mutex);

private:
    /// A read(), or a sync() when there are no keys to look up.
    struct Question
    {
        backend::ReadId id;
        std::optional<std::vector<backend::Key>> keys;
    };
    using Outcomes = std::vector<backend::Outcome>;

    void run() noexcept;
    /// False: stopped, and nothing is left to do.
    bool waitForWork() OCTOSTORE_EXCLUDES(_mutex);
    std::vector<backend::Transaction> take(std::size_t most) OCTOSTORE_EXCLUDES(_mutex);
    void ask(Question question) OCTOSTORE_EXCLUDES(_mutex);

    void commitBatch() OCTOSTORE_EXCLUDES(_mutex);
    /// Writes what is queued until the batch is full. Errors: the batch must be abandoned.
    Result<void> fill(Outcomes& outcomes) OCTOSTORE_EXCLUDES(_mutex);
    void count(const Ending& ending, std::size_t transactions, BootTime began, BootTime written);
    void conclude(Outcomes outcomes, Ending ending);
    void report(Outcomes outcomes);
    void refuseQueued(const Error& error) OCTOSTORE_EXCLUDES(_mutex);
    void settle() OCTOSTORE_EXCLUDES(_turn);
    void answerQuestions() OCTOSTORE_EXCLUDES(_mutex);
    void answer(const Question& question);
    void declareIfDamaged(const Error& error);
    /// Why nothing can be committed now.
    std::optional<Error> obstacle() const;

    const Options& _options;
    const StoreFiles& _files;
    Writer& _writer;
    Checkpointer& _checkpointer;
    Turn& _turn;
    Loss& _loss;
    backend::BackendListener* _listener = nullptr; // set by start(), before the thread
    std::thread _thread;

    // Of the thread: outcomes of a batch whose fate is unknown, and when to ask next.
    std::optional<Outcomes> _unsettled;
    BootTime _nextTry;
    Milliseconds _pause{0};
    bool _failing = false; // the last batch; so that the log says it once

    Mutex _mutex;
    std::condition_variable _wake;
    ClassQueue<backend::Transaction> _queue OCTOSTORE_GUARDED_BY(_mutex);
    std::deque<Question> _questions OCTOSTORE_GUARDED_BY(_mutex);
    bool _stopping OCTOSTORE_GUARDED_BY(_mutex) = false;
};

} // namespace octostore::sqlite
