// SPDX-License-Identifier: MIT
#include <octostore/base/Executor.h>
#include <octostore/base/Mutex.h>
#include <octostore/plugin/StoredRecords.h>

#include <chrono>
#include <condition_variable>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace octostore::plugin
{

namespace
{

constexpr std::chrono::seconds recordsPatience{60};

/// Runs tasks on the thread that waits for them.
class WaitingExecutor final : public Executor
{
public:
    void post(std::vector<Task> tasks) noexcept override OCTOSTORE_EXCLUDES(_mutex)
    {
        {
            MutexLock lock(_mutex);
            std::move(tasks.begin(), tasks.end(), std::back_inserter(_tasks));
        }
        _posted.notify_one();
    }
    /// False: nothing came in time.
    bool runOnce(std::chrono::seconds patience) OCTOSTORE_EXCLUDES(_mutex)
    {
        std::vector<Task> tasks;
        {
            MutexLock lock(_mutex);
            while (_tasks.empty())
                if (!lock.waitFor(_posted, patience))
                    return false;
            tasks.swap(_tasks);
        }
        for (const Task& task : tasks)
            task();
        return true;
    }

private:
    Mutex _mutex;
    std::condition_variable _posted;
    std::vector<Task> _tasks OCTOSTORE_GUARDED_BY(_mutex);
};

} // namespace

Result<std::vector<backend::Record>> storedRecords(coordination::Coordinator& coordinator,
                                                   const Clock& clock,
                                                   backend::Collection collection,
                                                   std::string_view what)
{
    const Error silence{ErrorCode::Unavailable, "the engine does not tell " + std::string(what)};
    const auto executor = std::make_shared<WaitingExecutor>();
    coordination::Request request;
    request.operation = coordination::Query(coordination::GetRecords{collection});
    request.arrived = clock.bootTime();
    std::optional<coordination::Reply> answer;
    // Only runOnce() runs it: one that comes too late finds nobody who does.
    coordinator.submit(std::move(request), executor,
                       [&answer](coordination::Reply reply) { answer = std::move(reply); });
    while (!answer)
        if (!executor->runOnce(recordsPatience))
            return silence;
    if (auto* records = std::get_if<coordination::Records>(&*answer))
        return std::move(records->records);
    return silence;
}

} // namespace octostore::plugin
