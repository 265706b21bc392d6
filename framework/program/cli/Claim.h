// SPDX-License-Identifier: MIT
/// @file
/// What a hold asks the server for, in requests and answers.
#pragma once

#include <octostore/base/Time.h>
#include <octostore/client/Failure.h>
#include <octostore/client/HoldEvents.h>
#include <octostore/client/Http.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace octostore::program
{

/// The lease is ours.
struct Granted
{
    client::LeaseFacts lease;
    Milliseconds waited{0};
};

/// Somebody else has it, or nobody may have it yet.
struct Refused
{
    std::string reason; ///< `follower`, `held`, `delayed`
    Milliseconds retryAfter{0};
    std::string holder; ///< for people; empty: not told
    std::string until;  ///< when it ends or may be had, as the server wrote it
};

/// The session that the lease was to belong to is over; a new one helps.
struct SessionOver
{
};

/// A renewal or keepalive is confirmed.
struct Extended
{
    std::string expiresAt;
    Milliseconds waited{0};
};

using AttemptVerdict = std::variant<Granted, Refused, SessionOver, client::Failure>;
using ExtensionVerdict = std::variant<Extended, client::Failure>;

/// Makes requests and reads answers; it keeps the secret that proves the lease, in memory only.
/// Thread-safety: thread-compatible.
class Claim
{
public:
    Claim() = default;
    virtual ~Claim();
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;

    /// Asks for the lease; the server may wait that long before it says no.
    virtual client::HttpRequest attempt(std::chrono::seconds wait) = 0;
    virtual AttemptVerdict readAttempt(const client::HttpOutcome& outcome) = 0;
    /// Only after a grant, like release().
    virtual client::HttpRequest renewal() = 0;
    virtual ExtensionVerdict readRenewal(const client::HttpOutcome& outcome) = 0;
    virtual client::HttpRequest release() = 0;
    /// Nothing: confirmed.
    virtual std::optional<client::Failure> readRelease(const client::HttpOutcome& outcome) = 0;

    virtual client::HttpRequest status() = 0;
    /// Whether the status shows a lease that may be from an attempt of ours whose answer was lost.
    virtual bool maybeOurs(const client::HttpOutcome& status) = 0;

    virtual client::HttpRequest watch() = 0;
    /// Whether a frame of the watch says that the lease of this term is not the live one.
    virtual bool contradicts(std::string_view frame, std::uint64_t term) = 0;
};

/// Members of an answer; a missing or odd one is empty, 0 or nothing.
std::string textMember(const JsonValue::Object& object, std::string_view key);
std::optional<std::uint64_t> numberMember(const JsonValue::Object& object, std::string_view key);
Milliseconds durationMember(const JsonValue::Object& object, std::string_view key);

/// Whether a release that failed says that this very lease has ended: a repeated release, whose
/// first answer was lost.
bool confirmsEnd(const client::Failure& failure, std::uint64_t term);

} // namespace octostore::program
