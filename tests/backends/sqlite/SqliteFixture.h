// SPDX-License-Identifier: MIT
/// @file
/// A folder of its own for each test, and an SQLite backend in it that a test can make fail.
#pragma once

#include "SqliteBackend.h"

#include <octostore/base/Mutex.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include <conformance/backend/RecordingListener.h>
#include <conformance/backend/Samples.h>
#include <support/TemporaryDirectory.h>

namespace octostore::test
{

/// What the steps of a backend's committer result in. Thread-safety: thread-safe.
class FailPlan
{
public:
    using Step = std::function<int(sqlite3*)>;

    /// From now on `step` results in what `action` says.
    void at(const std::string& step, Step action) OCTOSTORE_EXCLUDES(_mutex);
    /// The next `times` times `step` fails with `code`.
    void fail(const std::string& step, int code, int times = 1);
    void clear() OCTOSTORE_EXCLUDES(_mutex);
    sqlite::FailPoint hook();

private:
    Mutex _mutex;
    std::map<std::string, Step, std::less<>> _steps OCTOSTORE_GUARDED_BY(_mutex);
};

class SqliteFixture : public ::testing::Test
{
protected:
    SqliteFixture();
    ~SqliteFixture() override;

    sqlite::Options options(const std::string& file = "octostore.db");
    /// Opens, loads and starts; the test has failed when that does not work.
    void start(sqlite::Options options);
    void start() { start(options()); }
    void stop();
    /// The error of opening and loading with `options`, which must fail.
    Error refusal(sqlite::Options options);

    backend::Outcome commit(backend::Transaction transaction);
    Revision mustCommit(backend::Transaction transaction);
    /// The code of a commit that must fail.
    ErrorCode mustFail(backend::Transaction transaction);
    /// Hands it over without waiting.
    backend::TransactionId submit(backend::Transaction transaction);

    TemporaryDirectory folder;
    FailPlan failures;
    SystemClock clock;
    std::map<backend::Key, backend::Record> loaded; // by the last start()
    std::unique_ptr<RecordingListener> listener;
    std::unique_ptr<sqlite::SqliteBackend> server;

private:
    std::uint64_t _lastTransaction = 0;
};

/// Runs SQL on the file; no server may be using it. Returns the first column of the last row.
std::string runSql(const std::string& file, const std::string& sql);

} // namespace octostore::test
