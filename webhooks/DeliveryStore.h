// SPDX-License-Identifier: MIT
/// @file
/// The tables of the delivery log.
#pragma once

#include "DeliveryLog.h"

#include <memory>
#include <string>
#include <vector>

struct sqlite3;

namespace octostore::webhooks
{

/// Thread-safety: thread-compatible.
class DeliveryLog::Store
{
public:
    /// Errors: Unavailable.
    static Result<std::unique_ptr<Store>> open(const std::string& file);
    ~Store();

    /// In one transaction. False: it could not be written.
    bool write(const std::vector<DeliveryNote>& notes);
    std::vector<DeliveryRow> list(const DeliveryQuery& query);
    std::optional<DeliveryDetail> find(const std::string& webhook, DeliveryKey key);
    DeliveryStats stats(const std::string& webhook, WallTime since);
    /// Forgets what is too old, and the oldest while there is too much.
    void trim(WallTime now, const DeliveryLogLimits& limits);

private:
    explicit Store(sqlite3* database) : _database(database) {}
    bool run(const char* sql);
    std::int64_t number(const char* sql);
    void write(const DeliveryNote& note);

    sqlite3* const _database;
};

} // namespace octostore::webhooks
