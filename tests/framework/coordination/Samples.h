// SPDX-License-Identifier: MIT
/// @file
/// Holders, commands and answers as the tests of the rules and of the engine write them.
#pragma once

#include <octostore/coordination/Command.h>
#include <octostore/coordination/Reply.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <variant>

namespace octostore::coordination::test
{

using namespace std::chrono_literals;

/// A UUID of its own for every number.
template <class Id>
Id idOf(std::uint64_t number)
{
    Id id;
    id.uuid.bytes[0] = 0xA5; // never nil
    for (std::size_t i = 0; i < 8; ++i)
        id.uuid.bytes[15 - i] = static_cast<std::uint8_t>(number >> (8 * i));
    return id;
}

template <std::size_t N>
std::array<std::uint8_t, N> bytesOf(std::uint64_t number)
{
    std::array<std::uint8_t, N> bytes{};
    bytes[0] = 0x5A;
    for (std::size_t i = 0; i < 8; ++i)
        bytes[N - 1 - i] = static_cast<std::uint8_t>(number >> (8 * i));
    return bytes;
}

inline std::string labelOf(std::uint64_t who)
{
    return "user" + std::to_string(who);
}

/// Account `who` asks for itself; `fresh` tells its lease IDs apart.
inline Acquire acquireBy(std::uint64_t who, Milliseconds ttl, std::uint64_t fresh = 0)
{
    Acquire acquire;
    acquire.holder = idOf<HolderId>(who);
    acquire.principal = idOf<PrincipalId>(who);
    acquire.label = labelOf(who);
    acquire.ttl = ttl;
    acquire.freshLease = idOf<LeaseId>(1'000'000 + who * 1000 + fresh);
    return acquire;
}

inline Campaign campaignBy(const std::string& candidate, Milliseconds ttl, std::uint64_t fresh,
                           const std::string& key = {})
{
    Campaign campaign;
    campaign.candidate = candidate;
    campaign.ttl = ttl;
    campaign.candidateKey = key;
    campaign.freshHolder = idOf<HolderId>(2'000'000 + fresh);
    campaign.freshNonce = bytesOf<16>(fresh);
    campaign.freshToken = bytesOf<32>(fresh);
    return campaign;
}

inline LockCredential credentialOf(const LeaseView& lease)
{
    return {lease.holder, lease.lease};
}

/// The answer as a T; anything else fails the test and gives an empty one.
template <class T>
T as(const Reply& reply)
{
    if (const T* value = std::get_if<T>(&reply))
        return *value;
    const Refused* refused = std::get_if<Refused>(&reply);
    ADD_FAILURE() << "the answer is alternative " << reply.index() << " of Reply"
                  << (refused ? ", an error: " + refused->error.message : "");
    return T{};
}

/// The code of a refusal; anything else fails the test.
inline ErrorCode codeOf(const Reply& reply)
{
    if (const Refused* refused = std::get_if<Refused>(&reply))
        return refused->error.code;
    ADD_FAILURE() << "not refused: alternative " << reply.index() << " of Reply";
    return ErrorCode::Internal;
}

template <class T>
bool is(const Reply& reply)
{
    return std::holds_alternative<T>(reply);
}

} // namespace octostore::coordination::test
