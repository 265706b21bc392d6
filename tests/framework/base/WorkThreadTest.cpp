// SPDX-License-Identifier: MIT
#include <octostore/base/WorkThread.h>

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>

namespace octostore
{
namespace
{

TEST(WorkThreadTest, TasksRunInOrderOnAThreadOfTheirOwn)
{
    WorkThread thread("test");
    std::string order;
    std::thread::id on;
    std::promise<void> done;
    thread.post({[&] { order += 'a'; }, [&] { order += 'b'; }});
    EXPECT_EQ(order, "") << "it has not started";
    thread.start();
    thread.post({[&] { on = std::this_thread::get_id(); }, [&] { done.set_value(); }});
    done.get_future().wait();
    EXPECT_EQ(order, "ab");
    EXPECT_NE(on, std::this_thread::get_id());
}

TEST(WorkThreadTest, StoppingWaitsForTheTaskThatRunsAndDropsTheRest)
{
    WorkThread thread("test");
    std::promise<void> begun, go;
    bool ended = false, later = false;
    const auto kept = std::make_shared<int>();
    thread.start();
    thread.post({[&]
                 {
                     begun.set_value();
                     go.get_future().wait();
                     ended = true;
                 },
                 [&later, kept] { later = true; }});
    begun.get_future().wait();
    std::thread opener([&go] { go.set_value(); });
    thread.stop();
    opener.join();
    EXPECT_TRUE(ended);
    EXPECT_EQ(kept.use_count(), 1) << "what is dropped is destroyed";
    thread.post({[&later] { later = true; }});
    thread.stop();
    EXPECT_FALSE(later);
}

} // namespace
} // namespace octostore
