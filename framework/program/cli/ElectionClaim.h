// SPDX-License-Identifier: MIT
/// @file
/// Leadership of a room.
#pragma once

#include "Claim.h"

#include <octostore/base/Random.h>

namespace octostore::program
{

/// Every campaign carries the same candidate key, so that one whose answer was lost is found again.
/// Thread-safety: thread-compatible.
class ElectionClaim final : public Claim
{
public:
    ElectionClaim(std::string room, std::string candidate, std::chrono::seconds ttl,
                  Random& random);

    client::HttpRequest attempt(std::chrono::seconds wait) override;
    AttemptVerdict readAttempt(const client::HttpOutcome& outcome) override;
    client::HttpRequest renewal() override;
    ExtensionVerdict readRenewal(const client::HttpOutcome& outcome) override;
    client::HttpRequest release() override;
    std::optional<client::Failure> readRelease(const client::HttpOutcome& outcome) override;
    client::HttpRequest status() override;
    bool maybeOurs(const client::HttpOutcome& status) override;
    client::HttpRequest watch() override;
    bool contradicts(std::string_view frame, std::uint64_t term) override;

private:
    /// Whether a readable answer is about another term, candidate or room.
    bool isOfAnother(const JsonValue::Object& object) const;
    /// The leader of an answer with `status` leader.
    std::variant<client::LeaseFacts, client::Failure>
    readLeader(const JsonValue::Object& object) const;

    const std::string _room;
    const std::string _path;
    const std::string _candidate;
    const std::string _key;
    const std::chrono::seconds _ttl;
    std::string _token;
    std::uint64_t _term = 0;
};

} // namespace octostore::program
