// SPDX-License-Identifier: MIT
/// @file
/// What can be asked of the engine. Everything random comes in with the command, so that the rules
/// stay pure.
#pragma once

#include <octostore/backend/Transaction.h>
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
#include <vector>

namespace octostore::coordination
{

/// The secret of a leader; 43 characters of base64url on the wire.
using LeaderToken = std::array<std::uint8_t, 32>;
using TokenNonce = std::array<std::uint8_t, 16>;

/// What the holder of a lock shows: its account (also for a session's lock) and the lease.
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
    SessionId session; ///< nil: none. It must be the principal's, and live
    bool ephemeral = false;
    LeaseId freshLease;
    /// What the caller may be called in an access list: `user:<name>`, `token:<digest in hex>`.
    std::vector<std::string> callerNames;
    bool admin = false; ///< access lists do not bind the caller
    /// The first access list of the name, or the one it already has; sorted.
    std::optional<std::vector<std::string>> acl;
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

/// An administrator ends the lease of this term.
struct ForceEnd
{
    Term term;
    std::string reason;
};

/// Replaces the access list of a name; nothing: drops it. Only for the holder of its live lock or
/// an administrator.
struct ChangeAcl
{
    PrincipalId principal;
    bool admin = false;
    std::optional<std::vector<std::string>> acl;
    std::string reason; ///< an administrator's; may be empty
};

/// The deadline passed, or (with a receipt) the grant never reached its client.
struct EndOfLease
{
    event::Cause cause = event::Cause::Ttl;
    std::optional<Receipt> receipt;
};

using Command =
    std::variant<Acquire, Campaign, Renew, Release, Resign, ForceEnd, ChangeAcl, EndOfLease>;

struct OpenSession
{
    SessionId fresh;
    PrincipalId principal;
    std::string label; ///< the account's name
    Milliseconds ttl{0};
};

struct KeepAlive
{
    SessionId session;
    PrincipalId principal;
};

struct CloseSession
{
    SessionId session;
    PrincipalId principal;
    bool admin = false; ///< whosever it is
    std::string reason;
};

/// The deadline of the session passed.
struct EndOfSession
{
    SessionId session;
};

using SessionCommand = std::variant<OpenSession, KeepAlive, CloseSession, EndOfSession>;

/// Writes records the engine does not interpret (principal, webhook, cursor, meta), and an event.
/// Id and priority of the transaction are the engine's. Answered by Stored, or Refused with
/// Conflict when a condition did not hold.
struct StoreRecords
{
    backend::Transaction transaction;
    Priority priority = Priority::Acquire;
};

/// Every committed record of one of those collections.
struct GetRecords
{
    backend::Collection collection = backend::Collection::Meta;
};

/// Reads see committed state only.
struct GetStatus
{
};

/// Is `term` the term of the lease that is live now?
struct CheckFence
{
    Term term;
};

/// Live locks whose names start with `prefix`, in byte order, beginning after `after`.
struct ListLocks
{
    std::string prefix;
    std::string after;
    std::size_t limit = 1000;
};

struct GetSession
{
    SessionId session;
    PrincipalId principal;
};

/// For administrators: a copy of every live lock, or of every room that is led or waited for, or of
/// both. Taken in slices, so it is of no single instant.
struct SurveyNames
{
    std::optional<backend::LeaseKind> kind; ///< nothing: both
};

/// For administrators: a copy of every open session, in the order of their ids.
struct SurveySessions
{
};

constexpr std::size_t queuePlacesMax = 256;

/// For administrators: places of the queue of a name after the first `skip`; at most
/// queuePlacesMax.
struct GetQueue
{
    std::size_t skip = 0;
    std::size_t limit = queuePlacesMax;
};

/// Sums over the store.
struct GetCounts
{
};

/// Does a commit go through? Answered from the last second's answer if there is one.
struct ProbeStore
{
};

using Query = std::variant<GetStatus, CheckFence, ListLocks, GetSession, GetRecords, GetCounts,
                           ProbeStore, SurveyNames, SurveySessions, GetQueue>;

using Operation = std::variant<Command, SessionCommand, StoreRecords, Query>;

/// One request to the engine. `name` is the lease record's name (rooms: leaseNameOfRoom()); empty
/// for session commands and for queries that are not about a name.
struct Request
{
    std::string name;
    Operation operation;
    event::Actor actor;
    RequestId id;
    BootTime arrived;     ///< when the whole request was here
    Milliseconds wait{0}; ///< Acquire and Campaign: how long the caller waits to be served
};

/// The class of a request, by what it asks.
OCTOSTORE_API Priority priorityOf(const Request& request) noexcept;

} // namespace octostore::coordination
