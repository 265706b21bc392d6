// SPDX-License-Identifier: MIT
/// @file
/// A process that gets no more threads.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>

#include <pthread.h>

namespace octostore::test
{

/// While it lives every new thread fails as on a machine that has none left: a stack of the size
/// that is asked for fits nowhere. Not for threads that bring attributes of their own.
/// Thread-safety: thread-compatible.
class NoThreads
{
public:
    NoThreads()
    {
        constexpr std::size_t tooMuch = std::size_t{1} << 47U;
        pthread_getattr_default_np(&_before);
        pthread_attr_t without;
        pthread_getattr_default_np(&without);
        EXPECT_EQ(pthread_attr_setstacksize(&without, tooMuch), 0);
        EXPECT_EQ(pthread_setattr_default_np(&without), 0);
        pthread_attr_destroy(&without);
    }
    ~NoThreads()
    {
        EXPECT_EQ(pthread_setattr_default_np(&_before), 0);
        pthread_attr_destroy(&_before);
    }
    NoThreads(const NoThreads&) = delete;
    NoThreads& operator=(const NoThreads&) = delete;

private:
    pthread_attr_t _before{};
};

} // namespace octostore::test
