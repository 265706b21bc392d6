// SPDX-License-Identifier: MIT
/// @file
/// The server as a whole: what the engine counts, its plugins, its process.
#pragma once

#include <octostore/backend/Backend.h>
#include <octostore/base/Time.h>
#include <octostore/coordination/Reply.h>
#include <octostore/event/Journal.h>
#include <octostore/metrics/Source.h>
#include <octostore/plugin/Plugin.h>

#include <cstdint>

namespace octostore::metrics
{

/// Resident bytes of this process; 0 when the kernel does not tell.
std::uint64_t residentBytes();

/// Thread-safety: thread-safe; reads files of /proc.
class ServerFigures
{
public:
    /// All of it must outlive this object. `journal` may be null.
    ServerFigures(const plugin::Context& context, const plugin::ExtensionRegistry& registry);

    void collect(Sink& sink, const coordination::Counts& counts) const;
    std::uint64_t uptimeSeconds() const;
    std::uint64_t users() const;

private:
    static void collectQueues(Sink& sink, const coordination::QueueCounts& queues,
                              const char* kind);
    void collectPlugins(Sink& sink) const;
    void collectTransports(Sink& sink) const;
    void collectStore(Sink& sink, const coordination::Counts& counts) const;
    void collectProcess(Sink& sink) const;

    const plugin::Context& _context;
    const plugin::ExtensionRegistry& _registry;
    const BootTime _startedAt;
    const WallTime _startedAtWall;
};

} // namespace octostore::metrics
