// SPDX-License-Identifier: MIT
/// @file
/// The seed of a random test.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <random>
#include <string_view>

namespace octostore::test
{

/// The number in OCTOSTORE_TEST_SEED, which repeats a run; nothing when there is none.
inline std::optional<std::uint64_t> repeatedSeed()
{
    const char* const given = std::getenv("OCTOSTORE_TEST_SEED"); // NOLINT(concurrency-mt-unsafe)
    if (given == nullptr || given == std::string_view("random"))
        return std::nullopt;
    return std::strtoull(given, nullptr, 10);
}

/// What a random test begins with; printed. Unless told otherwise it is always `usually`, so that a
/// change is judged by what it changes and by nothing else. OCTOSTORE_TEST_SEED=random draws
/// another one: scripts/verify.sh looks for what no run has met yet.
inline std::uint64_t testSeed(std::uint64_t usually = 20'260'803)
{
    const char* const given = std::getenv("OCTOSTORE_TEST_SEED"); // NOLINT(concurrency-mt-unsafe)
    const std::uint64_t otherwise = given == nullptr ? usually : std::random_device{}();
    const std::uint64_t seed = repeatedSeed().value_or(otherwise);
    std::cout << "OCTOSTORE_TEST_SEED=" << seed << '\n';
    return seed;
}

} // namespace octostore::test
