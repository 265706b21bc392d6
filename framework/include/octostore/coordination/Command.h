// SPDX-License-Identifier: MIT
/// @file
/// What can be asked of the engine. Everything random comes in with the command, so that the rules
/// stay pure.
#pragma once

#include <octostore/backend/Record.h>
#include <octostore/base/ClassQueue.h>
#include <octostore/base/Id.h>
#include <octostore/base/Time.h>
#include <octostore/event/Event.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace octostore::coordination
{

/// The secret of a leader; 43 characters of base64url on the wire.
using LeaderToken = std::array<std::uint8_t, 32>;
using TokenNonce = std::array<std::uint8_t, 16>;

/// What the holder of a lock shows.
struct LockCredential
{
    HolderId holder;
    LeaseId lease;
};

struct Acquire
{
    HolderId holder;
    PrincipalId principal;
    std::string label; ///< the account's name
    Milliseconds ttl{0};
    std::optional<std::string> metadata;
    Milliseconds lockDelay{0};
    SessionId session;
    bool ephemeral = false;
    LeaseId freshLease;
};

struct Campaign
{
    std::string candidate;
    Milliseconds ttl{0};
    std::optional<std::string> metadata;
    std::string candidateKey; ///< empty: none; the token is then `freshToken`
    HolderId freshHolder;
    TokenNonce freshNonce{};
    LeaderToken freshToken{};
};

struct Renew
{
    std::variant<LockCredential, LeaderToken> credential;
    Milliseconds ttl{0};
};

struct Release
{
    LockCredential credential;
};

struct Resign
{
    LeaderToken token{};
};

/// Names one grant, so that giving it back can end nothing else.
struct Receipt
{
    Revision revision;
    std::uint64_t answers = 0; ///< how often this lease had been answered for, with this one
    bool operator==(const Receipt&) const = default;
};

/// The deadline passed, or (with a receipt) the grant never reached its client.
struct EndOfLease
{
    event::Cause cause = event::Cause::Ttl;
    std::optional<Receipt> receipt;
};

/// The lock delay is over; decided only for a name with waiters.
struct EndOfCooling
{
};

using Command = std::variant<Acquire, Campaign, Renew, Release, Resign, EndOfLease, EndOfCooling>;

/// Reads see committed state only.
struct GetStatus
{
};

/// Is `term` the term of the lease that is live now?
struct CheckFence
{
    Term term;
};

/// Live locks whose names start with `prefix`, in byte order, behind `after`.
struct ListLocks
{
    std::string prefix;
    std::string after;
    std::size_t limit = 1000;
};

/// Sums over the store.
struct GetCounts
{
};

/// Does a commit go through? Answered from the last second's answer if there is one.
struct ProbeStore
{
};

using Query = std::variant<GetStatus, CheckFence, ListLocks, GetCounts, ProbeStore>;

/// One request to the engine. `name` is the lease record's name (rooms: leaseNameOfRoom()); empty
/// for ListLocks, GetCounts and ProbeStore.
struct Request
{
    std::string name;
    std::variant<Command, Query> operation;
    event::Actor actor;
    RequestId id;
    BootTime arrived;     ///< when the whole request was here
    Milliseconds wait{0}; ///< Acquire and Campaign: how long the caller waits to be served
};

/// The class of a request, by what it asks.
OCTOSTORE_API Priority priorityOf(const Request& request) noexcept;

} // namespace octostore::coordination
