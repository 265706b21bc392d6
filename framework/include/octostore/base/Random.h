// SPDX-License-Identifier: MIT
/// @file
/// Where identifiers and secrets come from.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Id.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace octostore
{

/// Thread-safety: thread-safe.
class OCTOSTORE_API Random
{
public:
    virtual ~Random();
    virtual void fill(std::span<std::uint8_t> bytes) noexcept = 0;

    /// A version 4 UUID.
    Uuid uuid() noexcept;
    template <std::size_t N>
    std::array<std::uint8_t, N> bytes() noexcept
    {
        std::array<std::uint8_t, N> result;
        fill(result);
        return result;
    }
};

/// The kernel's generator (getrandom), read in blocks that are wiped as they are used; never the
/// same bytes on two threads or in two processes (fork). Aborts if the kernel refuses.
class OCTOSTORE_API SystemRandom final : public Random
{
public:
    void fill(std::span<std::uint8_t> bytes) noexcept override;
};

} // namespace octostore
