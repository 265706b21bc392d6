// SPDX-License-Identifier: MIT
/// @file
/// A named lock, held by a session of our own.
#pragma once

#include "Claim.h"
#include "PrivateSession.h"

#include <octostore/client/TokenSource.h>

namespace octostore::program
{

/// Thread-safety: thread-compatible.
class LockClaim final : public Claim
{
public:
    /// `session` and `token` must outlive this.
    LockClaim(std::string name, std::chrono::seconds ttl, PrivateSession& session,
              client::TokenSource& token);

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
    client::HttpRequest post(const std::string& action, std::string body);
    AttemptVerdict readStatus(const JsonValue::Object& object);

    const std::string _name;
    const std::string _path;
    const std::chrono::seconds _ttl;
    PrivateSession& _session;
    client::TokenSource& _token;
    std::string _lease;
    std::uint64_t _term = 0;
};

} // namespace octostore::program
