// SPDX-License-Identifier: MIT
/// @file
/// One suite for every transport: what each must do, seen from a raw socket.
#pragma once

#include "ScriptedDispatcher.h"
#include "support/HttpClient.h"

#include <octostore/base/Random.h>
#include <octostore/base/Time.h>
#include <octostore/http/Transport.h>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::test
{

struct TransportKind
{
    std::string name;
    std::function<std::unique_ptr<http::Transport>()> make;

    friend void PrintTo(const TransportKind& kind, std::ostream* out) { *out << kind.name; }
};

/// All that there are.
std::vector<TransportKind> transportKinds();

inline std::string nameOfKind(const testing::TestParamInfo<TransportKind>& info)
{
    return info.param.name;
}

/// Starts the transport with `options` when start() is called; stops it at the end.
class TransportFixture : public testing::TestWithParam<TransportKind>
{
protected:
    TransportFixture()
    {
        options.bind = "127.0.0.1:0";
        options.threads = 2;
    }
    ~TransportFixture() override
    {
        transport->stop(Milliseconds{0});
        dispatcher.clear();
    }

    void start()
    {
        const auto started = transport->start(options, dispatcher, clock, random);
        ASSERT_TRUE(started.ok()) << started.error().message;
    }
    HttpClient connect() { return HttpClient(transport->port()); }
    /// A connection whose request for `target` was dispatched, as the last one. Limits of less than
    /// a second end it before that when the machine stands still: then it is tried again. Nothing:
    /// it never was.
    std::unique_ptr<HttpClient> askInTime(std::string_view target)
    {
        const std::size_t before = dispatcher.count();
        const auto giveUp = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (std::chrono::steady_clock::now() < giveUp)
        {
            auto client = std::make_unique<HttpClient>(transport->port());
            bool open = client->get(target);
            while (open && dispatcher.count() == before)
                open =
                    client->silentFor(Milliseconds{5}) && std::chrono::steady_clock::now() < giveUp;
            if (dispatcher.count() > before)
                return client;
        }
        return nullptr;
    }
    static std::shared_ptr<const std::string> chunk(std::string text)
    {
        return std::make_shared<const std::string>(std::move(text));
    }

    SystemClock clock;
    SystemRandom random;
    http::TransportOptions options;
    ScriptedDispatcher dispatcher;
    std::unique_ptr<http::Transport> transport = GetParam().make();
};

} // namespace octostore::test

#define OCTOSTORE_ON_EVERY_TRANSPORT(Fixture)                                                      \
    INSTANTIATE_TEST_SUITE_P(Transports, Fixture,                                                  \
                             testing::ValuesIn(octostore::test::transportKinds()),                 \
                             octostore::test::nameOfKind)
