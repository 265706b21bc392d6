// SPDX-License-Identifier: MIT
/// @file
/// Goal: on SQLite the engine gives the answers of the naive model, and behind each start it finds
/// what was committed. Method: the run of the engine's own model test, with this store beside the
/// one that checks; both have to tell the same outcomes, records and events. OCTOSTORE_TEST_SEED
/// repeats a run.
#include "SqliteFixture.h"

#include <utility>
#include <vector>

#include <framework/coordination/ModelRun.h>
#include <support/TestSeed.h>

namespace octostore::test
{

namespace
{

/// Each waits for its disk.
constexpr std::size_t commands = 600;

} // namespace

class EngineOnSqliteTest : public SqliteFixture
{
protected:
    EngineOnSqliteTest()
    {
        run.restartsOneIn = 100;
        run.harness().real = {[this](std::vector<backend::Transaction> batch)
                              {
                                  const std::size_t count = batch.size();
                                  server->commit(std::move(batch));
                                  return listener->takeOutcomes(count);
                              },
                              [this]
                              {
                                  start();
                                  return loaded;
                              }};
    }

    const std::uint64_t seed = testSeed();
    coordination::test::ModelRun run{seed};
};

TEST_F(EngineOnSqliteTest, RandomCommandsGetTheAnswersOfTheNaiveModel)
{
    start();
    run.run(commands);
    ASSERT_FALSE(HasFailure()) << "seed " << seed << ", step " << run.steps();
    run.expectRest();
    const auto events = server->events(Sequence(0), 100 * commands);
    ASSERT_TRUE(events.ok()) << events.error().message;
    EXPECT_GT(events->size(), commands / 10);
    EXPECT_EQ(*events, run.harness().store().journal());
}

} // namespace octostore::test
