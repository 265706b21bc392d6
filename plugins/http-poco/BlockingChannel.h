// SPDX-License-Identifier: MIT
/// @file
/// Keeps the answer of an exchange until the connection's thread sends it.
#pragma once

#include "TaskInbox.h"

#include <octostore/http/Exchange.h>
#include <octostore/http/StreamQueue.h>

#include <cstddef>
#include <memory>
#include <optional>

namespace octostore::http_poco
{

/// Thread-safety: thread-affine(the connection's).
class BlockingChannel final : public http::Channel
{
public:
    BlockingChannel(std::shared_ptr<TaskInbox> inbox, std::size_t streamBufferMax)
        : _inbox(std::move(inbox)), _streamBufferMax(streamBufferMax)
    {
    }

    void send(http::Response response) noexcept override;
    std::shared_ptr<http::Stream> openStream(http::Response head) noexcept override;
    std::shared_ptr<Executor> executor() noexcept override { return _inbox; }

    /// Whom to tell of the delivery; kept alive from the answer on.
    void serve(const http::ExchangePtr& exchange) { _served = exchange; }

    struct Answer
    {
        http::Response response;
        std::shared_ptr<http::StreamQueue> stream; ///< null: `response` is all
        http::ExchangePtr exchange;                ///< null when its handler forgot it
    };
    /// The answer, once there is one.
    std::optional<Answer> take();

private:
    const std::shared_ptr<TaskInbox> _inbox;
    const std::size_t _streamBufferMax;
    std::weak_ptr<http::Exchange> _served;
    std::optional<Answer> _answer;
};

} // namespace octostore::http_poco
