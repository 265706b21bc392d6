// SPDX-License-Identifier: MIT
#include "SqliteFixture.h"

#include <sqlite3.h>

#include <utility>
#include <variant>

namespace octostore::test
{

void FailPlan::at(const std::string& step, Step action)
{
    MutexLock lock(_mutex);
    _steps[step] = std::move(action);
}

void FailPlan::fail(const std::string& step, int code, int times)
{
    at(step, [code, left = times](sqlite3*) mutable { return left-- > 0 ? code : SQLITE_OK; });
}

void FailPlan::clear()
{
    MutexLock lock(_mutex);
    _steps.clear();
}

sqlite::FailPoint FailPlan::hook()
{
    return [this](std::string_view step, sqlite3* connection)
    {
        MutexLock lock(_mutex);
        const auto action = _steps.find(step);
        return action == _steps.end() ? SQLITE_OK : action->second(connection);
    };
}

SqliteFixture::SqliteFixture() = default;

SqliteFixture::~SqliteFixture()
{
    stop();
}

sqlite::Options SqliteFixture::options(const std::string& file)
{
    sqlite::Options options;
    options.path = folder.file(file);
    options.clock = &clock;
    options.watchInterval = Milliseconds(10);
    options.settlePause = Milliseconds(1);
    options.settlePauseMax = Milliseconds(4);
    options.failPoint = failures.hook();
    return options;
}

void SqliteFixture::start(sqlite::Options options)
{
    stop();
    listener = std::make_unique<RecordingListener>();
    auto opened = sqlite::SqliteBackend::open(std::move(options));
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    server = *std::move(opened);
    loaded.clear();
    const auto revision = server->load(
        [this](backend::Record record)
        {
            const backend::Key key = record.key;
            loaded.emplace(key, std::move(record));
        });
    ASSERT_TRUE(revision.ok()) << revision.error().message;
    const auto started = server->start(*listener);
    ASSERT_TRUE(started.ok()) << started.error().message;
}

void SqliteFixture::stop()
{
    if (server)
        server->stop();
    server.reset();
}

Error SqliteFixture::refusal(sqlite::Options options)
{
    auto opened = sqlite::SqliteBackend::open(std::move(options));
    if (!opened)
        return opened.error();
    const auto revision = (*opened)->load([](backend::Record) {});
    EXPECT_FALSE(revision.ok()) << "it was opened and loaded";
    return revision ? Error{ErrorCode::Internal, ""} : revision.error();
}

backend::TransactionId SqliteFixture::submit(backend::Transaction transaction)
{
    const backend::TransactionId id(++_lastTransaction);
    transaction.id = id;
    std::vector<backend::Transaction> batch;
    batch.push_back(std::move(transaction));
    server->commit(std::move(batch));
    return id;
}

backend::Outcome SqliteFixture::commit(backend::Transaction transaction)
{
    const backend::TransactionId id = submit(std::move(transaction));
    auto outcomes = listener->takeOutcomes(1);
    EXPECT_EQ(outcomes.size(), 1U) << "the transaction got no outcome";
    outcomes.resize(1);
    EXPECT_EQ(outcomes[0].id, id);
    return outcomes[0];
}

Revision SqliteFixture::mustCommit(backend::Transaction transaction)
{
    const backend::Outcome outcome = commit(std::move(transaction));
    const auto* committed = std::get_if<backend::Committed>(&outcome.result);
    EXPECT_NE(committed, nullptr) << "result " << outcome.result.index();
    return committed ? committed->revision : Revision{};
}

ErrorCode SqliteFixture::mustFail(backend::Transaction transaction)
{
    const backend::Outcome outcome = commit(std::move(transaction));
    const auto* failed = std::get_if<backend::Failed>(&outcome.result);
    EXPECT_NE(failed, nullptr) << "result " << outcome.result.index();
    return failed ? failed->error.code : ErrorCode::Internal;
}

std::string runSql(const std::string& file, const std::string& sql)
{
    sqlite3* connection = nullptr;
    std::string last;
    const auto keep = [](void* to, int, char** values, char**)
    {
        *static_cast<std::string*>(to) = values[0] ? values[0] : "";
        return 0;
    };
    char* message = nullptr;
    EXPECT_EQ(sqlite3_open(file.c_str(), &connection), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(connection, sql.c_str(), keep, &last, &message), SQLITE_OK)
        << (message ? message : "");
    sqlite3_free(message);
    sqlite3_close(connection);
    return last;
}

} // namespace octostore::test
