// SPDX-License-Identifier: MIT
/// @file
/// POST /admin/backup.
#pragma once

#include "BackupJob.h"
#include "Surroundings.h"

#include <octostore/base/Mutex.h>
#include <octostore/http/Route.h>

#include <memory>
#include <string>
#include <vector>

namespace octostore::admin_api
{

/// One backup at a time, on a thread of its own.
/// Thread-safety: thread-safe, but start() and stop() belong to one thread.
class BackupRoutes
{
public:
    /// Both must outlive every exchange.
    explicit BackupRoutes(const Surroundings& around) : _around(around), _thread("backup") {}
    std::vector<http::Route> routes();

    void start();
    /// Ends the one under way and takes no more.
    void drain() OCTOSTORE_EXCLUDES(_mutex);
    void stop();

private:
    struct Backup;
    using BackupPtr = std::shared_ptr<Backup>;

    void begin(const http::ExchangePtr& exchange) OCTOSTORE_EXCLUDES(_mutex);
    void snapshot(const BackupPtr& backup);
    void record(const BackupPtr& backup);
    void send(const BackupPtr& backup);
    std::string freshFile() const;
    /// Makes `backup` the one under way. False: there is one already.
    bool enter(const BackupPtr& backup) OCTOSTORE_EXCLUDES(_mutex);

    const Surroundings& _around;
    WorkThread _thread;
    Mutex _mutex;
    std::weak_ptr<Backup> _current OCTOSTORE_GUARDED_BY(_mutex);
    bool _draining OCTOSTORE_GUARDED_BY(_mutex) = false;
};

} // namespace octostore::admin_api
