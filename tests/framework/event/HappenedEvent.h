// SPDX-License-Identifier: MIT
/// @file
/// An event in a store, for whoever reads it from there.
#pragma once

#include "MemoryStore.h"

#include <octostore/event/Event.h>

#include <utility>
#include <variant>

namespace octostore::event
{

/// Commits an event that happens at `time`.
inline Event happen(memory::MemoryStore& store, WallTime time)
{
    Draft draft;
    draft.type = Type::ServerStarted;
    draft.facts = {draft.type};
    draft.time = time;
    draft.kind = ResourceKind::Server;
    backend::Transaction transaction;
    transaction.event = draft;
    const auto outcome = store.commit(std::move(transaction));
    return {Sequence(std::get<backend::Committed>(outcome.result).revision.value()), draft};
}

} // namespace octostore::event
