// SPDX-License-Identifier: MIT
/// @file
/// The JSON lines a hold reports its life with.
#pragma once

#include <octostore/base/Json.h>
#include <octostore/base/Time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace octostore::client
{

enum class HoldKind
{
    Election,
    Lock,
};

/// `election` or `lock`.
std::string_view toText(HoldKind kind) noexcept;

/// Whom the events are about.
struct HoldSubject
{
    HoldKind kind = HoldKind::Election;
    std::string name;
    std::string server;
    std::string candidate; ///< elections only
};

/// What is known about the lease.
struct LeaseFacts
{
    std::uint64_t term = 0;
    std::string expiresAt; ///< as the server wrote it; empty: unknown
};

/// Makes one line an event, without the line end; docs/hold-events.schema.json describes them. No
/// line has a secret in it: none is ever passed in. Thread-safety: thread-compatible.
class HoldEvents
{
public:
    /// `clock` must outlive this.
    HoldEvents(HoldSubject subject, const Clock& clock);

    std::string waiting(Milliseconds retryAfter, std::string_view reason);
    /// `leader` or `acquired`.
    std::string won(const LeaseFacts& lease, BootTime deadline);
    std::string renewed(const LeaseFacts& lease, BootTime deadline);
    std::string released(std::uint64_t term, std::string_view reason);
    std::string lost(const LeaseFacts& lease, std::string_view reason);
    std::string uncertain(const LeaseFacts& lease, std::string_view reason);
    std::string error(std::string_view reason);
    /// `status` is the JSON of a status answer.
    std::string snapshot(std::string_view status);

    const HoldSubject& subject() const noexcept { return _subject; }

private:
    JsonWriter begin(std::string_view event);
    std::string authority(std::string_view event, const LeaseFacts& lease, BootTime deadline);
    std::string ended(std::string_view event, const LeaseFacts& lease, std::string_view reason);

    const HoldSubject _subject;
    const Clock& _clock;
    std::uint64_t _sequence = 0;
};

} // namespace octostore::client
