// SPDX-License-Identifier: MIT
#include "Announcer.h"

#include <chrono>
#include <future>
#include <memory>

namespace octostore::program
{

namespace
{

constexpr std::chrono::seconds patience{2};

/// Runs what little there is to run on the thread that brings it.
class HereExecutor final : public Executor
{
public:
    void post(std::vector<Task> tasks) noexcept override
    {
        for (const Task& task : tasks)
            task();
    }
};

} // namespace

Announcer::Announcer(coordination::Coordinator& coordinator, const Clock& clock)
    : _coordinator(coordinator), _clock(clock)
{
}

void Announcer::announce(event::Type type, event::ResourceKind kind, const std::string& name)
{
    announce(type, kind, name, plugin::ReloadOrder());
}

void Announcer::announce(event::Type type, event::ResourceKind kind, const std::string& name,
                         const plugin::ReloadOrder& order)
{
    event::Draft draft;
    draft.type = type;
    draft.facts = {type};
    draft.time = _clock.wallTime();
    draft.kind = kind;
    draft.name = name;
    draft.actor = order.actor;
    draft.reason = order.reason;
    draft.request = order.request;
    coordination::StoreRecords store;
    store.transaction.event = std::move(draft);
    store.priority = Priority::Keep;
    coordination::Request request;
    request.operation = std::move(store);
    request.arrived = _clock.bootTime();

    // Shared: the answer may come after this has given up.
    auto answered = std::make_shared<std::promise<void>>();
    std::future<void> done = answered->get_future();
    _coordinator.submit(std::move(request), std::make_shared<HereExecutor>(),
                        [answered](const coordination::Reply&) { answered->set_value(); });
    done.wait_for(patience);
}

} // namespace octostore::program
