// SPDX-License-Identifier: MIT
#include "ServerFigures.h"

#include <octostore/http/Transport.h>
#include <octostore/http/UserCount.h>
#include <octostore/metrics/Rejections.h>
#include <octostore/plugin/PluginState.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace octostore::metrics
{

namespace
{

double secondsOf(const timeval& time)
{
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double openDescriptors()
{
    // Newer kernels say how many there are; walking over ten thousands of them takes time.
    struct stat descriptors
    {
    };
    if (::stat("/proc/self/fd", &descriptors) == 0 && descriptors.st_size > 0)
        return static_cast<double>(descriptors.st_size);
    std::error_code error;
    double count = -1; // what is read now is one of them
    for (std::filesystem::directory_iterator entry("/proc/self/fd", error), end;
         !error && entry != end; entry.increment(error))
        ++count;
    return std::max(0.0, count);
}

struct Memory
{
    std::uint64_t virtualBytes = 0;
    std::uint64_t residentBytes = 0;
};

/// All 0 when the kernel does not tell.
Memory memory()
{
    std::ifstream file("/proc/self/statm");
    Memory pages;
    file >> pages.virtualBytes >> pages.residentBytes;
    const long size = sysconf(_SC_PAGESIZE);
    if (!file || size <= 0)
        return {};
    const auto bytes = static_cast<std::uint64_t>(size);
    return {pages.virtualBytes * bytes, pages.residentBytes * bytes};
}

} // namespace

std::uint64_t residentBytes()
{
    return memory().residentBytes;
}

ServerFigures::ServerFigures(const plugin::Context& context,
                             const plugin::ExtensionRegistry& registry)
    : _context(context),
      _registry(registry),
      _startedAt(context.clock.bootTime()),
      _startedAtWall(context.clock.wallTime())
{
}

std::uint64_t ServerFigures::uptimeSeconds() const
{
    const auto uptime = _context.clock.bootTime() - _startedAt;
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::seconds>(uptime).count());
}

std::uint64_t ServerFigures::users() const
{
    return http::userCount(_registry.all<http::AuthProvider>());
}

void ServerFigures::collect(Sink& sink, const coordination::Counts& counts) const
{
    const auto gauge = [&](std::string_view name, std::string_view help, std::size_t value) {
        sink.gauge({name, help}, static_cast<double>(value));
    };
    gauge("octostore_locks_held", "Locks that are held.", counts.locks);
    gauge("octostore_elections", "Election rooms that have a leader.", counts.rooms);
    const Metric leaderless{"octostore_elections_without_leader",
                            "Rooms that had a leader in the last day and have none: it resigned, "
                            "or was lost."};
    sink.gauge(leaderless, static_cast<double>(counts.roomsLost), {{"reason", "lost"}});
    sink.gauge(leaderless, static_cast<double>(counts.roomsResigned), {{"reason", "resigned"}});
    const auto waiting =
        counts.grantsAt ? *counts.grantsAt - _context.clock.wallTime() : WallTime::duration::zero();
    sink.gauge({"octostore_grants_wait_seconds",
                "How long nothing is granted yet, because the store was restored; 0: it is."},
               std::max(0.0, std::chrono::duration<double>(waiting).count()));
    gauge("octostore_sessions_active", "Sessions that are alive.", counts.sessions);
    collectQueues(sink, counts.lockQueues, "lock");
    collectQueues(sink, counts.roomQueues, "election");
    gauge("octostore_accounts", "Accounts that can authenticate.", users());
    const auto counter = [&](std::string_view name, std::string_view help, std::uint64_t value) {
        sink.counter({name, help}, static_cast<double>(value));
    };
    counter("octostore_acquires_total", "Grants, and leases answered for again to their holder.",
            counts.acquired);
    counter("octostore_releases_total", "Releases and resignations.", counts.released);
    counter("octostore_expirations_total", "Leases that ran out.", counts.expired);
    collectStore(sink, counts);
    collectPlugins(sink);
    collectTransports(sink);
    collectProcess(sink);
}

void ServerFigures::collectQueues(Sink& sink, const coordination::QueueCounts& queues,
                                  const char* kind)
{
    const Labels label{{"kind", kind}};
    sink.gauge({"octostore_lock_waiters", "Requests that wait in the queue of a lock or room."},
               static_cast<double>(queues.waiters), label);
    sink.histogram({"octostore_lock_queue_depth",
                    "How many were in front of a request when it joined the queue of a lock or "
                    "room."},
                   queues.joined, label);
}

void ServerFigures::collectStore(Sink& sink, const coordination::Counts& counts) const
{
    sink.gauge({"octostore_store_revision", "The last revision committed."},
               static_cast<double>(counts.revision.value()));
    if (_context.backend != nullptr)
        sink.gauge({"octostore_store_size_bytes", "Size of the main store file."},
                   static_cast<double>(_context.backend->sizeBytes()));
    if (_context.journal == nullptr)
        return;
    sink.gauge({"octostore_journal_newest_sequence", "The last event published."},
               static_cast<double>(_context.journal->newest().value()));
    sink.gauge({"octostore_journal_trimmed_sequence", "Events up to this one were forgotten."},
               static_cast<double>(_context.journal->trimmed().value()));
}

void ServerFigures::collectPlugins(Sink& sink) const
{
    for (const plugin::PluginStates* plugins : _registry.all<plugin::PluginStates>())
    {
        for (const plugin::PluginState& state : plugins->states())
        {
            sink.gauge({"octostore_plugin_info", "Plugins and their versions; always 1."}, 1,
                       {{"id", state.id}, {"version", state.version}});
            sink.gauge({"octostore_plugin_state", "1 for the state each plugin is in."}, 1,
                       {{"id", state.id}, {"state", std::string(plugin::stateName(state.state))}});
            sink.counter({"octostore_plugin_callback_errors_total",
                          "Calls of a plugin's code that threw or failed."},
                         static_cast<double>(state.errors), {{"id", state.id}});
        }
    }
}

void ServerFigures::collectTransports(Sink& sink) const
{
    std::uint64_t refused = 0;
    http::TransportLoad all;
    for (const http::Transport* transport : _registry.all<http::Transport>())
    {
        sink.gauge({"octostore_http_connections", "Open connections."},
                   static_cast<double>(transport->connections()),
                   {{"transport", std::string(transport->name())}});
        refused += transport->refusedConnections();
        const http::TransportLoad load = transport->load();
        all.busyThreads += load.busyThreads;
        all.idleThreads += load.idleThreads;
        all.queued += load.queued;
    }
    const Metric threads{"octostore_http_threads", "Threads that serve connections."};
    sink.gauge(threads, static_cast<double>(all.busyThreads), {{"state", "busy"}});
    sink.gauge(threads, static_cast<double>(all.idleThreads), {{"state", "idle"}});
    sink.gauge({"octostore_http_queue_length", "Pieces of work that wait for one of them."},
               static_cast<double>(all.queued));
    sink.counter(rejections, static_cast<double>(refused), {{"reason", "connections"}});
}

void ServerFigures::collectProcess(Sink& sink) const
{
    const auto start = std::chrono::duration<double>(_startedAtWall.time_since_epoch()).count();
    sink.gauge({"octostore_start_time_seconds", "When this server started, in unix time."}, start);
    sink.gauge({"octostore_build_info", "What the server was built with; always 1."}, 1,
               {{"version", OCTOSTORE_VERSION},
                {"revision", OCTOSTORE_REVISION},
                {"compiler", __VERSION__}});
    sink.gauge({"process_start_time_seconds", "When this process started, in unix time."}, start);
    const Memory used = memory();
    sink.gauge({"process_resident_memory_bytes", "Resident memory."},
               static_cast<double>(used.residentBytes));
    sink.gauge({"process_virtual_memory_bytes", "Address space in use."},
               static_cast<double>(used.virtualBytes));
    sink.gauge({"process_open_fds", "Open descriptors."}, openDescriptors());
    rlimit descriptors{};
    if (getrlimit(RLIMIT_NOFILE, &descriptors) == 0)
        sink.gauge({"process_max_fds", "How many descriptors there may be."},
                   static_cast<double>(descriptors.rlim_cur));
    rusage usage{};
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        sink.counter({"process_cpu_seconds_total", "Processor time, user and system."},
                     secondsOf(usage.ru_utime) + secondsOf(usage.ru_stime));
}

} // namespace octostore::metrics
