// SPDX-License-Identifier: MIT
/// @file
/// Random bytes that are the same in every run.
#pragma once

#include <octostore/base/Mutex.h>
#include <octostore/base/Random.h>

#include <cstdint>
#include <random>

namespace octostore::test
{

/// The same seed gives the same bytes in the same order of calls.
/// Thread-safety: thread-safe.
class FakeRandom final : public Random
{
public:
    explicit FakeRandom(std::uint64_t seed = 1) : _seed(seed), _engine(seed) {}

    void fill(std::span<std::uint8_t> bytes) noexcept override
    {
        MutexLock lock(_mutex);
        for (std::uint8_t& byte : bytes)
            byte = static_cast<std::uint8_t>(_engine() >> 56U);
    }
    /// 0..`most`.
    std::uint64_t number(std::uint64_t most) noexcept
    {
        MutexLock lock(_mutex);
        const std::uint64_t drawn = _engine();
        return most == UINT64_MAX ? drawn : drawn % (most + 1);
    }

    std::uint64_t seed() const noexcept { return _seed; }

private:
    const std::uint64_t _seed;
    Mutex _mutex;
    std::mt19937_64 _engine OCTOSTORE_GUARDED_BY(_mutex);
};

} // namespace octostore::test
