// SPDX-License-Identifier: MIT
#include "Checkpointer.h"

#include "SqliteFixture.h"

#include <chrono>
#include <ctime>
#include <thread>

namespace octostore::test
{
namespace
{

class CheckpointerTest : public SqliteFixture
{
protected:
    /// Of this process.
    static std::chrono::nanoseconds processorTime()
    {
        timespec time = {};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
    }
};

TEST_F(CheckpointerTest, ALongLogThatIsNotCopiedAfterALossIsNoWork)
{
    start();
    stop(); // the files are there
    const sqlite::Options options = this->options();
    auto files = sqlite::StoreFiles::lock(options.path);
    ASSERT_TRUE(files && (*files)->remember());
    sqlite::Loss loss(options.logger);
    loss.declare({ErrorCode::Corrupt, "damaged"});
    sqlite::Checkpointer checkpointer(options, **files, loss);
    ASSERT_TRUE(checkpointer.open());
    checkpointer.start();
    checkpointer.mustFinish(options.checkpoint.startPages + options.checkpoint.finishPages);
    constexpr std::chrono::milliseconds watched{200};
    const auto before = processorTime();
    std::this_thread::sleep_for(watched);
    EXPECT_LT(processorTime() - before, watched / 2);
}

} // namespace
} // namespace octostore::test
