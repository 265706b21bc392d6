// SPDX-License-Identifier: MIT
/// @file
/// Changes of locks while webhooks deliver them.
#pragma once

#include "ReceiverCrowd.h"
#include "Scenarios.h"

#include <octostore/base/Result.h>
#include <octostore/bench/LoadLoop.h>
#include <octostore/client/HttpClient.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace octostore::bench
{

/// Thread-safety: thread-compatible.
class WebhookFlood
{
public:
    explicit WebhookFlood(const Setting& setting) : _setting(setting) {}

    /// Errors: InvalidInput.
    Result<void> connect();
    /// Registers `count` webhooks for all locks, on paths that begin so. Errors: Internal.
    Result<void> addReceivers(std::size_t count, const std::string& path);
    /// Acquires and releases locks at `rate` changes a second. Errors: Internal, when any fails.
    Result<LoadResult> load(double rate);
    /// Changes there were; those while a load began and ended too.
    std::uint64_t changes() const noexcept { return _changes; }
    /// How many deliveries the slowest of the receivers on these paths has got.
    std::size_t least(const std::string& path) const;
    /// Whether the server knows of nothing more to deliver. Errors: Internal.
    Result<bool> isDrained();
    const ReceiverCrowd& receivers() const noexcept { return _receivers; }

private:
    Result<std::string> ask(const std::string& method, const std::string& path,
                            const std::string& body, int status);

    const Setting& _setting;
    ReceiverCrowd _receivers;
    std::unique_ptr<client::HttpClient> _client;
    std::vector<std::string> _ids;
    std::vector<std::string> _paths;
    std::atomic<std::uint64_t> _changes{0};
};

} // namespace octostore::bench
