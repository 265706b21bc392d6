// SPDX-License-Identifier: MIT
/// @file
/// The delivery log as tables of a SQLite file of its own.
#pragma once

#include "DeliveryStore.h"

#include <octostore/base/Result.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct sqlite3;

namespace octostore::webhooks
{

/// Thread-safety: thread-compatible.
class SqliteDeliveryStore final : public DeliveryStore
{
public:
    /// Errors: Corrupt: it is no database or a damaged one; Unavailable.
    static Result<std::unique_ptr<DeliveryStore>> open(const std::string& file);
    ~SqliteDeliveryStore() override;

    bool write(const std::vector<DeliveryNote>& notes) noexcept override;
    std::vector<DeliveryRow> list(const DeliveryQuery& query) noexcept override;
    std::optional<DeliveryDetail> find(const std::string& webhook,
                                       DeliveryKey key) noexcept override;
    DeliveryStats stats(const std::string& webhook, WallTime since) noexcept override;
    void trim(WallTime now, const DeliveryLogLimits& limits) noexcept override;

private:
    explicit SqliteDeliveryStore(sqlite3* database) : _database(database) {}
    bool run(const char* sql);
    std::int64_t number(const char* sql);
    void write(const DeliveryNote& note);
    std::uint64_t usedBytes();

    sqlite3* const _database;
};

} // namespace octostore::webhooks
