// SPDX-License-Identifier: MIT
/// @file
/// A server that is killed under load, by one of its clients.
#pragma once

#include "ServerTest.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <iterator>
#include <thread>
#include <vector>

namespace octostore::test
{

/// `Told` is what a client was told.
template <class Told>
class CrashFixture : public ServerTest
{
protected:
    using Left = std::atomic<std::uint64_t>;
    /// What client `number` does until the server is gone.
    using Load = std::function<void(unsigned number, Left& left, std::vector<Told>& told)>;

    /// Loads the server until it is killed after `answers` answers; returns what was answered.
    std::vector<Told> loadUntilKilled(unsigned clients, std::uint64_t answers, const Load& load)
    {
        Left left{answers};
        std::vector<std::vector<Told>> told(clients);
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < clients; ++i)
            threads.emplace_back([i, &load, &left, &told] { load(i, left, told[i]); });
        for (std::thread& thread : threads)
            thread.join();
        EXPECT_EQ(_server->waitForEnd(), 128 + SIGKILL) << _server->log();
        std::vector<Told> all;
        for (std::vector<Told>& some : told)
            std::move(some.begin(), some.end(), std::back_inserter(all));
        return all;
    }

    /// An answer was counted: the last one is the server's end.
    void killAfterTheLast(Left& left)
    {
        if (left.fetch_sub(1) == 1)
            _server->signal(SIGKILL);
    }
};

} // namespace octostore::test
