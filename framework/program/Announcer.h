// SPDX-License-Identifier: MIT
/// @file
/// The server's own events: started, stopped, configuration reloaded.
#pragma once

#include <octostore/base/Time.h>
#include <octostore/coordination/Coordinator.h>
#include <octostore/event/Event.h>
#include <octostore/plugin/ServerControl.h>

#include <string>

namespace octostore::program
{

/// Puts an event about the server itself into the journal.
/// Thread-safety: thread-compatible.
class Announcer
{
public:
    /// Both must outlive this object.
    Announcer(coordination::Coordinator& coordinator, const Clock& clock);

    /// Waits until it is committed, but not for ever: a store that fails does not keep the server
    /// from going on.
    void announce(event::Type type, event::ResourceKind kind, const std::string& name);
    /// As above, in the name of the one who ordered it.
    void announce(event::Type type, event::ResourceKind kind, const std::string& name,
                  const plugin::ReloadOrder& order);

private:
    coordination::Coordinator& _coordinator;
    const Clock& _clock;
};

} // namespace octostore::program
