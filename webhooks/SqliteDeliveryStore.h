// SPDX-License-Identifier: MIT
/// @file
/// The delivery log as tables of a SQLite file of its own.
#pragma once

#include "DeliveryStore.h"

#include <octostore/base/Log.h>
#include <octostore/base/Result.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

struct sqlite3;

namespace octostore::webhooks
{

/// What a power cut has damaged is set aside as `file`.damaged and begun anew.
/// Thread-safety: thread-compatible.
class SqliteDeliveryStore final : public DeliveryStore
{
public:
    /// Errors: Unavailable.
    static Result<std::unique_ptr<DeliveryStore>> open(const std::string& file, Logger logger);
    ~SqliteDeliveryStore() override;

    bool write(const std::vector<DeliveryNote>& notes) noexcept override;
    std::vector<DeliveryRow> list(const DeliveryQuery& query) noexcept override;
    std::optional<DeliveryDetail> find(const std::string& webhook,
                                       DeliveryKey key) noexcept override;
    DeliveryStats stats(const std::string& webhook, WallTime since) noexcept override;
    void trim(WallTime now, const DeliveryLogLimits& limits) noexcept override;

private:
    SqliteDeliveryStore(std::string file, Logger logger)
        : _file(std::move(file)), _logger(std::move(logger))
    {
    }
    /// Errors: Corrupt, Unavailable.
    Result<void> connect();
    /// Closes it; the next connect() makes another.
    void setAside();
    Error fault() const;
    bool run(const char* sql);
    std::int64_t number(const char* sql);
    Result<void> writeAll(const std::vector<DeliveryNote>& notes);
    bool write(const DeliveryNote& note);
    std::uint64_t usedBytes();

    const std::string _file;
    const Logger _logger;
    sqlite3* _database = nullptr;
};

} // namespace octostore::webhooks
