// SPDX-License-Identifier: MIT
/// @file
/// A channel and an engine that do what a test says and nothing else.
#pragma once

#include "support/ManualExecutor.h"

#include <octostore/backend/Backend.h>
#include <octostore/base/Executor.h>
#include <octostore/coordination/Coordinator.h>
#include <octostore/http/Exchange.h>

#include <optional>
#include <utility>
#include <vector>

namespace octostore::health
{

class FakeChannel final : public http::Channel
{
public:
    explicit FakeChannel(std::shared_ptr<Executor> executor) : _executor(std::move(executor)) {}
    void send(http::Response response) noexcept override { answer = std::move(response); }
    std::shared_ptr<http::Stream> openStream(http::Response /*head*/) noexcept override
    {
        return nullptr;
    }
    std::shared_ptr<Executor> executor() noexcept override { return _executor; }

    std::optional<http::Response> answer;

private:
    std::shared_ptr<Executor> _executor;
};

/// Answers every question with `reply`, or never.
class FakeCoordinator final : public coordination::Coordinator
{
public:
    coordination::Ticket submit(coordination::Request request, std::shared_ptr<Executor> executor,
                                Continuation done) noexcept override
    {
        asked.push_back(std::move(request));
        if (reply)
        {
            const coordination::Reply answer = *reply;
            if (then)
                reply = then;
            executor->post({[done, answer] { done(answer); }});
        }
        return coordination::Ticket{asked.size()};
    }
    void abandon(coordination::Ticket /*ticket*/) noexcept override {}

    std::optional<coordination::Reply> reply;
    std::optional<coordination::Reply> then; ///< instead of it from the second time on
    std::vector<coordination::Request> asked;
};

/// Only its size is asked for.
class FakeBackend final : public backend::Backend
{
public:
    backend::Traits traits() const noexcept override { return {}; }
    Result<Revision> load(const backend::RecordSink& /*sink*/) noexcept override
    {
        return Revision{};
    }
    Result<void> start(backend::BackendListener& /*listener*/) noexcept override { return {}; }
    void commit(std::vector<backend::Transaction> /*batch*/) noexcept override {}
    void read(backend::ReadId /*request*/, std::vector<backend::Key> /*keys*/) noexcept override {}
    void sync(backend::ReadId /*request*/) noexcept override {}
    Result<std::vector<event::Event>> events(Sequence /*after*/,
                                             std::size_t /*limit*/) noexcept override
    {
        return std::vector<event::Event>{};
    }
    Result<void> trimEvents(Sequence /*upTo*/) noexcept override { return {}; }
    void stop() noexcept override {}
    std::uint64_t sizeBytes() const noexcept override { return 4096; }
};

} // namespace octostore::health
