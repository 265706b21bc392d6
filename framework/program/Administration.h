// SPDX-License-Identifier: MIT
/// @file
/// What administrators ask of the program's main thread.
#pragma once

#include "Wishes.h"

#include <octostore/base/Mutex.h>
#include <octostore/plugin/ServerControl.h>

#include <memory>
#include <vector>

namespace octostore::program
{

/// Keeps what is asked until the main thread comes for it.
/// Thread-safety: thread-safe.
class Administration final : public plugin::ServerControl
{
public:
    /// `wishes` must outlive this object.
    explicit Administration(Wishes& wishes) : _wishes(wishes) {}

    void reload(plugin::ReloadOrder order, Reloaded done) noexcept override
        OCTOSTORE_EXCLUDES(_mutex);
    std::shared_ptr<const std::vector<config::Entry>> configuration() const noexcept override
        OCTOSTORE_EXCLUDES(_mutex);

    // For the main thread:
    struct Pending
    {
        plugin::ReloadOrder order;
        Reloaded done;
    };
    /// Everything asked for since the last call.
    std::vector<Pending> takeReloads() OCTOSTORE_EXCLUDES(_mutex);
    /// What configuration() tells from now on.
    void show(const config::Configuration& current) OCTOSTORE_EXCLUDES(_mutex);
    /// Refuses what waits and what comes: the server stops.
    void close() OCTOSTORE_EXCLUDES(_mutex);

private:
    Wishes& _wishes;
    mutable Mutex _mutex;
    std::vector<Pending> _pending OCTOSTORE_GUARDED_BY(_mutex);
    std::shared_ptr<const std::vector<config::Entry>> _shown OCTOSTORE_GUARDED_BY(_mutex);
    bool _closed OCTOSTORE_GUARDED_BY(_mutex) = false;
};

} // namespace octostore::program
