// SPDX-License-Identifier: MIT
/// @file
/// A transport without sockets: keeps what was answered, runs posted tasks when told.
#pragma once

#include "support/ManualExecutor.h"

#include <octostore/http/Exchange.h>
#include <octostore/http/StreamQueue.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace octostore::test
{

class FakeChannel final : public http::Channel
{
public:
    void send(http::Response response) noexcept override { sent.push_back(std::move(response)); }
    std::shared_ptr<http::Stream> openStream(http::Response head) noexcept override
    {
        sent.push_back(std::move(head));
        stream = std::make_shared<http::StreamQueue>(manual, 1024, [] {});
        return stream;
    }
    std::shared_ptr<Executor> executor() noexcept override { return manual; }

    std::shared_ptr<ManualExecutor> manual = std::make_shared<ManualExecutor>();
    std::vector<http::Response> sent;
    std::shared_ptr<http::StreamQueue> stream;
};

} // namespace octostore::test
