// SPDX-License-Identifier: MIT
/// @file
/// The rules of leases: state + command + now -> decision. Pure: no clock, thread, random or I/O.
#pragma once

#include <octostore/backend/Transaction.h>
#include <octostore/base/Api.h>
#include <octostore/coordination/Command.h>
#include <octostore/coordination/Reply.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace octostore::coordination
{

struct SessionEnd
{
    Now at;
    event::Cause cause = event::Cause::None;
};

/// The committed state of one session. It is over when now >= its deadline, recorded or not.
struct SessionState
{
    SessionId id;
    backend::SessionRecord record;
    Revision version;
    std::optional<SessionEnd> ended; ///< its end is committed

    bool liveAt(BootTime now) const noexcept { return !ended && now < record.deadline.boot; }
};

/// The committed state of one name. A lease is over when now >= its deadline, whatever the record
/// still says; an ephemeral one also when its session is over.
struct NameState
{
    std::optional<backend::LeaseRecord> lease; ///< held, cooling or vacant
    Revision version;                          ///< of the lease record
    /// Of an ephemeral lease that is recorded as held; outlives this state.
    const SessionState* session = nullptr;
    std::shared_ptr<const backend::AclRecord> acl; ///< null: none
    Revision aclVersion;
};

/// Facts beside the name, grants in flight included.
struct Scope
{
    std::size_t leasesOfPrincipal = 0;
    std::size_t liveRooms = 0;
    const SessionState* session = nullptr; ///< the one the command names
};

struct Limits
{
    std::size_t leasesPerPrincipalMax = 100;
    std::size_t liveRoomsMax = 10'000;
    std::size_t waitersPerNameMax = 10'000;
    std::size_t sessionsPerPrincipalMax = 10'000;
    std::size_t remembered = 100'000; ///< vacant records kept
    SharedText clock;                 ///< identity of the boot clock deadlines are written with
    /// The store was restored: what the server before it granted may be live until then, so
    /// nothing new is granted.
    std::optional<BootTime> grantsFrom{};
};

/// How long the end of a lease is remembered.
constexpr std::chrono::hours rememberedFor{24};

/// Nothing to write.
struct Answer
{
    Reply reply;
};

/// Nothing to write, and the caller may join the queue of this name; `reply` is what it gets if it
/// does not.
struct Wait
{
    Reply reply;
};

/// A transaction (without id and priority), the state once it is committed, the answer then. In
/// `after`, version 0 stands for "this commit's".
struct Write
{
    backend::Transaction transaction;
    NameState after;
    Reply reply;
};

using Decision = std::variant<Answer, Wait, Write>;

/// Who is deciding for whom: the name and what the journal will say about the cause.
struct Subject
{
    const std::string& name;
    const event::Actor& actor;
    RequestId request;
};

OCTOSTORE_API Decision decide(const Subject& subject, const NameState& state, const Scope& scope,
                              const Limits& limits, const Command& command, Now now);

/// `ended` and then `granted` (decided on the state after `ended`) as one transaction and one
/// event with two facts. The reply is the granted one's.
OCTOSTORE_API Write handOver(Write ended, Write granted);

/// Puts what only the commit knows into the state and the answer.
OCTOSTORE_API std::pair<NameState, Reply> committed(Write write, const backend::Committed& commit);

/// The lease is recorded as held; it may be over.
inline bool isHeld(const NameState& state) noexcept
{
    return state.lease && state.lease->state == backend::LeaseState::Held;
}
/// The lease is live at `now`.
OCTOSTORE_API bool isLive(const NameState& state, BootTime now) noexcept;
/// When the name may be acquired again, if that is after `now`; held leases aside.
OCTOSTORE_API std::optional<BootTime> coolingUntil(const NameState& state, BootTime now) noexcept;
/// When and why a lease that is recorded as held, but is not live, ended.
OCTOSTORE_API SessionEnd endOf(const NameState& state) noexcept;
OCTOSTORE_API LeaseView viewOf(const NameState& state);
OCTOSTORE_API Status statusOf(const std::string& name, const NameState& state, BootTime now);

/// The clock of a deadline that another server keeps: it is known only when it has surely passed.
constexpr std::string_view othersClock = "(another's)";

/// Until when the lease is certain to live. Of another server's lease that is before it was first
/// seen here: only that server knows how much of it is left.
OCTOSTORE_API BootTime certainUntil(const backend::Deadline& deadline, Milliseconds ttl) noexcept;

/// Moves a deadline read from the store to this machine's clock. `recoveredAt`: when the
/// store was first opened on the clock that runs now.
OCTOSTORE_API void adopt(backend::Deadline& deadline, Milliseconds ttl, const SharedText& clock,
                         BootTime recoveredAt, Now now) noexcept;

} // namespace octostore::coordination
