// SPDX-License-Identifier: MIT
// Goal: whoever ends in the middle of a backup, the server or its client, what the client has does
// not look whole, nothing is left beside the store, and the store is as before.
// Method: a store larger than all buffers between the two, and a client that does not read.
#include "BackupFixture.h"
#include "SqliteBackend.h"
#include "conformance/backend/RecordingListener.h"
#include "support/HttpClient.h"

#include <octostore/base/Digest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace octostore::test
{
namespace
{

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class BackupCutOffTest : public BackupFixture, public testing::WithParamInterface<const char*>
{
protected:
    static constexpr std::size_t records = 12;
    static constexpr std::size_t recordBytes = 1'000'000;
    static constexpr std::string_view cutOff = "a backup was cut off";

    struct Copy
    {
        std::unique_ptr<HttpClient> connection;
        HttpResponse head;

        std::size_t length() const { return std::stoul(head.header("content-length")); }
    };

    void SetUp() override
    {
        fill();
        startAgain();
        _term = acquire("a").number("fencing_token");
    }

    void startAgain()
    {
        ServerProcess::Properties properties = withAdmin();
        properties["http.transport"] = GetParam();
        start(properties);
    }

    /// Makes the store large, with what no server looks at.
    void fill()
    {
        const SystemClock clock;
        sqlite::Options options;
        options.path = file("octostore.db");
        options.clock = &clock;
        auto store = sqlite::SqliteBackend::open(std::move(options));
        ASSERT_TRUE(store) << store.error().message;
        ASSERT_TRUE((*store)->load([](backend::Record) {}));
        RecordingListener listener;
        ASSERT_TRUE((*store)->start(listener));
        std::vector<backend::Transaction> batch(records);
        for (std::size_t i = 0; i < records; ++i)
        {
            batch[i].id = backend::TransactionId(i + 1);
            batch[i].puts.push_back({{backend::Collection::Meta, "filler-" + std::to_string(i)},
                                     backend::MetaRecord{std::string(recordBytes, 'x')}});
        }
        (*store)->commit(std::move(batch));
        EXPECT_EQ(listener.takeOutcomes(records).size(), records);
        (*store)->stop();
    }

    std::unique_ptr<HttpClient> ask() const
    {
        auto connection = std::make_unique<HttpClient>(_port);
        EXPECT_TRUE(connection->post("/admin/backup", "", "X-Admin-Key: the-admin-key\r\n"));
        return connection;
    }

    /// The copy has begun, and most of it is not sent.
    Copy begin() const
    {
        Copy copy;
        const bool answered = comesTrue(
            [&]
            {
                copy.connection = ask();
                copy.head = copy.connection->receiveHead().value_or(HttpResponse());
                return copy.head.status != 409; // the one before was not quite over
            });
        EXPECT_TRUE(answered && copy.head.status == 200) << copy.head.status;
        EXPECT_GT(copy.length(), records * recordBytes);
        return copy;
    }

    /// Asks, and returns when the snapshot is being taken; or it was so fast that it is over.
    std::unique_ptr<HttpClient> beginSnapshot() const
    {
        auto connection = ask();
        EXPECT_TRUE(comesTrue([&] { return !snapshots().empty() || !connection->silentFor(0ms); }));
        return connection;
    }

    template <class Condition>
    static bool comesTrue(Condition condition)
    {
        // Much longer than anything takes: only what never comes is found by it.
        const auto end = std::chrono::steady_clock::now() + 100s;
        bool came = condition();
        for (; !came && std::chrono::steady_clock::now() < end; came = condition())
            std::this_thread::sleep_for(1ms);
        return came;
    }
    bool isSaid(std::string_view text, int times) const
    {
        return comesTrue(
            [&]
            {
                const std::string log = _server->log();
                int found = 0;
                for (auto at = log.find(text); at != log.npos; at = log.find(text, at + 1))
                    ++found;
                return found == times;
            });
    }

    std::vector<std::string> snapshots() const
    {
        std::vector<std::string> found;
        for (const fs::directory_entry& entry : fs::directory_iterator(_directory.path()))
            if (entry.path().filename().string().find("snapshot-") != std::string::npos)
                found.push_back(entry.path());
        return found;
    }

    /// The server ends by itself, and the next one has what this one had.
    void expectCleanStop()
    {
        EXPECT_EQ(_server->waitForEnd(), 0) << _server->log();
        EXPECT_EQ(snapshots(), std::vector<std::string>());
        startAgain();
        EXPECT_EQ(termOf("a"), _term);
        EXPECT_EQ(acquire("b").text("status"), "acquired");
    }

    void expectWholeCopy() const
    {
        Copy copy = begin();
        const auto whole = copy.connection->receiveRest(copy.head);
        ASSERT_TRUE(whole);
        EXPECT_EQ(whole->body.size(), copy.length());
        EXPECT_EQ(whole->header("x-octostore-sha256"), toHex(sha256(whole->body)));
    }

    std::int64_t _term = 0;
};

INSTANTIATE_TEST_SUITE_P(Transports, BackupCutOffTest, testing::Values(OCTOSTORE_TEST_TRANSPORTS),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(BackupCutOffTest, AServerThatStopsCutsTheCopyOffVisiblyAndLeavesNothing)
{
    const Copy copy = begin();
    _server->signal(SIGTERM);
    ASSERT_TRUE(isSaid(cutOff, 1)) << _server->log();
    const auto rest = copy.connection->readToEnd();
    ASSERT_TRUE(rest) << "the connection stays open";
    EXPECT_LT(rest->size(), copy.length());
    expectCleanStop();

    const auto connection = beginSnapshot();
    _server->signal(SIGTERM);
    const auto answer = connection->receiveHead();
    EXPECT_TRUE(!answer || answer->status == 200 || answer->status == 503) << answer->status;
    connection->close();
    expectCleanStop();
}

TEST_P(BackupCutOffTest, AServerStopsAlsoBesideAClientThatNeverReads)
{
    const Copy copy = begin();
    _server->signal(SIGTERM);
    expectCleanStop();
}

TEST_P(BackupCutOffTest, AClientThatLeavesEndsItsCopyAndNothingElse)
{
    begin().connection->close();
    EXPECT_TRUE(isSaid(cutOff, 1)) << _server->log();
    begin().connection->reset();
    EXPECT_TRUE(isSaid(cutOff, 2)) << _server->log();
    beginSnapshot()->reset();
    EXPECT_TRUE(comesTrue([this] { return snapshots().empty(); }));
    expectWholeCopy();
    EXPECT_EQ(termOf("a"), _term);
    EXPECT_EQ(snapshots(), std::vector<std::string>());
}

} // namespace
} // namespace octostore::test
