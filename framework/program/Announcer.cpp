// SPDX-License-Identifier: MIT
#include "Announcer.h"

#include "TaskQueue.h"

#include <memory>
#include <utility>

namespace octostore::program
{

namespace
{

constexpr Milliseconds patience{2000};

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
    const auto answers = std::make_shared<TaskQueue>();
    _coordinator.submit(std::move(request), answers, [](const coordination::Reply&) {});
    answers->runOne(patience);
}

} // namespace octostore::program
