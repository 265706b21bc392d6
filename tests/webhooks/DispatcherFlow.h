// SPDX-License-Identifier: MIT
/// @file
/// Receivers that refuse or take their time, and what has been sent to them.
#pragma once

#include "DispatcherStage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace octostore::test
{

inline webhooks::Webhook hookOf(const std::string& name, const std::string& locks = "**")
{
    webhooks::Webhook webhook = DispatcherStage::webhook(name);
    webhook.lockPattern = locks;
    return webhook;
}

inline std::vector<std::string> idsTo(const DispatcherStage& stage, const std::string& host)
{
    std::vector<std::string> ids;
    for (const FakeSender::Sent& sent : stage.sender.sent())
        if (sent.message.url.host == host)
            ids.push_back(sent.header("webhook-id"));
    return ids;
}

inline std::vector<std::string> idsUpTo(std::uint64_t last)
{
    std::vector<std::string> ids;
    for (std::uint64_t i = 1; i <= last; ++i)
        ids.push_back("evt_0a1b_" + std::to_string(i));
    return ids;
}

/// Fails for the locks that begin with `bad`.
inline webhooks::Attempt unlessBad(const webhooks::Outgoing& message)
{
    return answered(message.body.find("\"bad") == std::string::npos ? 200 : 500);
}

/// Takes its time: while it answers, the dispatcher does what else it can.
class SlowReceiver
{
public:
    SlowReceiver(DispatcherStage& stage, webhooks::Attempt attempt)
        : _stage(stage), _attempt(std::move(attempt))
    {
    }
    webhooks::Attempt operator()(const webhooks::Outgoing&)
    {
        most = std::max(most, ++now);
        _stage.dispatcher->step();
        --now;
        return _attempt;
    }
    unsigned now = 0;
    unsigned most = 0;

private:
    DispatcherStage& _stage;
    const webhooks::Attempt _attempt;
};

/// A stage, and receivers as these tests have them.
class DispatcherFlow : public testing::Test
{
protected:
    /// It has answered once, with one event.
    void prove(webhooks::Webhook webhook, const std::string& lock = "first")
    {
        stage.put(std::move(webhook));
        stage.happen(std::vector{lock});
        stage.step();
    }
    void answer(const std::string& host, SlowReceiver& receiver)
    {
        stage.sender.setReceiver(host, [&receiver](const webhooks::Outgoing& message)
                                 { return receiver(message); });
    }

    /// The receiver `hook` refuses the locks that begin with `bad`.
    void refuseBad()
    {
        prove(hookOf("hook"));
        stage.sender.setReceiver("hook", &unlessBad);
    }

    DispatcherStage stage;
};

} // namespace octostore::test
