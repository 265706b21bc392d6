// SPDX-License-Identifier: MIT
#include "BackendConformance.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace octostore::test
{

using backend::Outcome;
using backend::Record;
using backend::Transaction;

StoreUnderTest::~StoreUnderTest() = default;

std::ostream& operator<<(std::ostream& out, const BackendUnderTest& backend)
{
    return out << backend.name;
}

std::optional<Revision> committedAt(const Outcome& outcome)
{
    const auto* committed = std::get_if<backend::Committed>(&outcome.result);
    return committed ? std::optional(committed->revision) : std::nullopt;
}

bool isNothing(const Record& record)
{
    return std::holds_alternative<std::monostate>(record.value);
}

void BackendConformance::SetUp()
{
    store = GetParam().make();
    start();
}

void BackendConformance::TearDown()
{
    if (server)
        server->stop();
}

void BackendConformance::start()
{
    listener = std::make_unique<RecordingListener>();
    server = store->open();
    ASSERT_NE(server, nullptr);
    loaded.clear();
    const Result<Revision> revision = server->load(
        [this](Record record)
        {
            const backend::Key key = record.key;
            EXPECT_TRUE(loaded.emplace(key, std::move(record)).second)
                << "loaded twice: " << key.name;
        });
    ASSERT_TRUE(revision.ok()) << revision.error().message;
    loadedRevision = *revision;
    const Result<void> started = server->start(*listener);
    ASSERT_TRUE(started.ok()) << started.error().message;
}

void BackendConformance::restart()
{
    server->stop();
    server.reset();
    start();
}

void BackendConformance::number(std::vector<Transaction>& batch)
{
    for (Transaction& transaction : batch)
        transaction.id = backend::TransactionId(++_lastTransaction);
}

std::vector<Outcome> BackendConformance::commit(std::vector<Transaction> batch)
{
    const std::size_t count = batch.size();
    number(batch);
    const std::uint64_t first = _lastTransaction - count + 1;
    server->commit(std::move(batch));

    std::vector<Outcome> reported = listener->takeOutcomes(count);
    EXPECT_EQ(reported.size(), count) << "a transaction got no outcome";
    std::sort(reported.begin(), reported.end(),
              [](const Outcome& a, const Outcome& b) { return a.id < b.id; });
    for (std::size_t i = 0; i < reported.size(); ++i)
        EXPECT_EQ(reported[i].id.value(), first + i);
    reported.resize(count);
    return reported;
}

Outcome BackendConformance::commit(Transaction transaction)
{
    return commit(std::vector{std::move(transaction)}).front();
}

Revision BackendConformance::mustCommit(Transaction transaction)
{
    const Outcome outcome = commit(std::move(transaction));
    const std::optional<Revision> revision = committedAt(outcome);
    EXPECT_TRUE(revision.has_value()) << "result " << outcome.result.index();
    return revision.value_or(Revision{});
}

std::vector<Record> BackendConformance::mustConflict(Transaction transaction)
{
    const Outcome outcome = commit(std::move(transaction));
    const auto* conflict = std::get_if<backend::Conflict>(&outcome.result);
    EXPECT_NE(conflict, nullptr) << "result " << outcome.result.index();
    return conflict ? conflict->current : std::vector<Record>();
}

std::vector<Record> BackendConformance::read(std::vector<backend::Key> keys)
{
    const backend::ReadId request(++_lastRead);
    const std::size_t count = keys.size();
    server->read(request, std::move(keys));
    auto answer = listener->takeRecords(request);
    EXPECT_TRUE(answer && answer->ok()) << "read() was not answered";
    std::vector<Record> found = answer && answer->ok() ? **answer : std::vector<Record>();
    EXPECT_EQ(found.size(), count);
    found.resize(count);
    return found;
}

Record BackendConformance::read(backend::Key key)
{
    return read(std::vector{std::move(key)})[0];
}

std::vector<event::Event> BackendConformance::events(Sequence after, std::size_t limit)
{
    const Result<std::vector<event::Event>> found = server->events(after, limit);
    EXPECT_TRUE(found.ok()) << found.error().message;
    return found ? *found : std::vector<event::Event>();
}

} // namespace octostore::test
