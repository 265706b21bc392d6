// SPDX-License-Identifier: MIT
#include "Sampler.h"

#include <iterator>
#include <utility>

#include <sys/prctl.h>

namespace octostore::metrics
{

class Sampler::Inbox final : public Executor
{
public:
    void post(std::vector<Task> tasks) noexcept override OCTOSTORE_EXCLUDES(_mutex)
    {
        MutexLock lock(_mutex);
        if (_closed)
            return;
        std::move(tasks.begin(), tasks.end(), std::back_inserter(_tasks));
        _changed.notify_one();
    }
    void close() noexcept OCTOSTORE_EXCLUDES(_mutex)
    {
        MutexLock lock(_mutex);
        _closed = true;
        _changed.notify_one();
    }
    struct Content
    {
        std::vector<Task> tasks;
        bool closed = false;
    };
    /// What has come by `end`, or at once when something is here.
    Content take(std::chrono::steady_clock::time_point end) OCTOSTORE_EXCLUDES(_mutex)
    {
        MutexLock lock(_mutex);
        while (_tasks.empty() && !_closed)
        {
            const auto left =
                std::chrono::ceil<Milliseconds>(end - std::chrono::steady_clock::now());
            if (left <= Milliseconds::zero() || !lock.waitFor(_changed, left))
                break;
        }
        return {std::exchange(_tasks, {}), _closed};
    }

private:
    Mutex _mutex;
    std::condition_variable _changed;
    std::vector<Task> _tasks OCTOSTORE_GUARDED_BY(_mutex);
    bool _closed OCTOSTORE_GUARDED_BY(_mutex) = false;
};

Sampler::Sampler(const Clock& clock, coordination::Coordinator& coordinator, Collect collect)
    : _clock(clock),
      _coordinator(coordinator),
      _collect(std::move(collect)),
      _series{SeriesRing("10m", std::chrono::seconds(605), std::chrono::seconds(5)),
              SeriesRing("1h", std::chrono::seconds(3660), std::chrono::seconds(60)),
              SeriesRing("8h", std::chrono::seconds(29'400), std::chrono::seconds(600)),
              SeriesRing("24h", std::chrono::seconds(86'400), std::chrono::seconds(1800))},
      _inbox(std::make_shared<Inbox>())
{
}

void Sampler::start()
{
    if (!_thread.joinable())
        _thread = std::thread([this] { run(); });
}

void Sampler::stop() noexcept
{
    _inbox->close();
    if (_thread.joinable())
        _thread.join();
}

void Sampler::run() noexcept
{
    prctl(PR_SET_NAME, "metrics");
    auto next = std::chrono::steady_clock::now();
    for (;;)
    {
        if (std::chrono::steady_clock::now() >= next)
        {
            ask();
            next += interval;
        }
        const Inbox::Content content = _inbox->take(next);
        if (content.closed)
            return;
        for (const Task& task : content.tasks)
            task();
    }
}

void Sampler::ask()
{
    {
        MutexLock lock(_mutex);
        _overdue = std::exchange(_asking, true);
        if (_overdue)
            return;
    }
    coordination::Request request;
    request.operation = coordination::Query(coordination::GetCounts{});
    request.arrived = _clock.bootTime();
    _coordinator.submit(std::move(request), _inbox,
                        [this](coordination::Reply reply) { answered(reply); });
}

void Sampler::answered(const coordination::Reply& reply)
{
    const auto* counts = std::get_if<coordination::Counts>(&reply);
    {
        MutexLock lock(_mutex);
        _asking = false;
        _overdue = false;
        if (counts != nullptr)
            _counts = *counts;
    }
    if (counts != nullptr)
        sample(*counts);
}

void Sampler::sample(const coordination::Counts& counts)
{
    Snapshot snapshot;
    snapshot.at = _clock.wallTime();
    snapshot.counts = counts;
    _collect(snapshot);
    _minutes.take(snapshot);
    for (SeriesRing& ring : _series)
        ring.take(snapshot);
}

coordination::Counts Sampler::counts() const
{
    MutexLock lock(_mutex);
    return _counts;
}

bool Sampler::engineAnswers() const
{
    MutexLock lock(_mutex);
    return !_overdue;
}

const SeriesRing* Sampler::series(std::string_view range) const noexcept
{
    for (const SeriesRing& ring : _series)
    {
        if (ring.range() == range)
            return &ring;
    }
    return nullptr;
}

} // namespace octostore::metrics
