// SPDX-License-Identifier: MIT
/// @file
/// What the engine answers.
#pragma once

#include <octostore/base/Result.h>
#include <octostore/coordination/Command.h>
#include <octostore/metrics/Histogram.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace octostore::coordination
{

/// A live lease as it may be shown; the lease ID only to its holder.
struct LeaseView
{
    Term term;
    LeaseId lease;
    HolderId holder;
    std::string label;
    std::optional<std::string> metadata;
    Milliseconds ttl{0};
    BootTime deadline;
    WallTime expiresAt;
    /// Until when the holder has authority: the deadline, or that of its session if that is
    /// earlier.
    BootTime authority;
};

/// The caller holds the lease: granted anew, or the same lease answered for again.
struct Granted
{
    LeaseView lease;
    std::optional<LeaderToken> token; ///< elections
    Milliseconds waited{0};
    bool fresh = false;
    Receipt receipt; ///< for giving a fresh grant back
};

struct Renewed
{
    LeaseView lease;
};

/// Somebody else holds it.
struct Held
{
    LeaseView lease;
    std::optional<std::size_t> queuePosition; ///< waiters in front, when waiting was asked for
};

/// Nobody may have it yet.
struct Delayed
{
    BootTime availableAt;
    WallTime availableAtWall;
    Milliseconds lockDelay{0};
    std::optional<std::size_t> queuePosition;
};

/// Released or resigned.
struct Ended
{
    Term term;
};

/// How the caller's own lease ended, so that a repeat can be told from a loss.
struct EndedLease
{
    Term term;
    event::Cause cause = event::Cause::None;
    WallTime at;
};

struct Refused
{
    Error error;
    std::optional<EndedLease> ended;
    std::optional<unsigned> retryAfterSeconds;
};

struct Status
{
    std::string name;
    std::optional<LeaseView> lease;      ///< live
    Revision asOf;                       ///< every commit up to it is seen in this answer
    Term lastTerm;                       ///< 0 when nothing is remembered
    std::optional<WallTime> availableAt; ///< while cooling
    std::size_t waiters = 0;
    std::shared_ptr<const backend::AclRecord> acl; ///< null: none
};

/// A session, for its account.
struct SessionView
{
    SessionId session;
    PrincipalId principal;
    Milliseconds ttl{0};
    BootTime deadline;
    WallTime expiresAt;
    std::size_t locks = 0; ///< live locks tagged with it
    bool live = true;
};

/// The session is closed, or was known to have ended.
struct SessionEnded
{
};

/// The access list is what was asked for.
struct AclChanged
{
};

/// Records were written; `revision` is their version and the sequence of the event.
struct Stored
{
    Revision revision;
};

struct Records
{
    std::vector<backend::Record> records;
};

struct Listing
{
    std::vector<Status> locks;
    std::size_t total = 0; ///< of the prefix, not only of this page
    bool more = false;
};

struct Fence
{
    bool current = false;
    std::optional<Term> live;
};

/// One name, for administrators.
struct SurveyedName
{
    std::string name;
    std::optional<LeaseView> lease; ///< live; without the lease ID
    SessionId session;              ///< the lease is tagged with it; nil: with none
    bool ephemeral = false;
    WallTime acquiredAt;
    std::size_t waiters = 0;
    bool hasAcl = false;
};

/// In byte order of the names. A deque: a vector that grows copies what it has, all at once.
struct NameSurvey
{
    std::deque<SurveyedName> names;
};

/// One session, for administrators; `locks` counts those not yet recorded as ended.
struct SurveyedSession
{
    SessionView session;
    std::string label; ///< the account's name
};

struct SessionSurvey
{
    std::deque<SurveyedSession> sessions;
};

/// One place in the queue of a name.
struct QueuePlace
{
    std::size_t position = 0; ///< places in front of it when it was looked at
    std::string label;        ///< the account's name or candidate_id
    SessionId session;        ///< nil: none
    bool present = true;      ///< else it is only kept for somebody
    WallTime since;
    WallTime until; ///< end of the wait, or until when the place is kept
};

struct QueueView
{
    std::vector<QueuePlace> places;
    std::size_t total = 0; ///< places, kept ones too
};

/// The queues of all locks, or of all rooms, on this server.
struct QueueCounts
{
    std::size_t waiters = 0; ///< those present
    /// How many places were in front of each request that joined a queue since the start.
    metrics::HistogramSample joined;
};

struct Counts
{
    std::size_t locks = 0;
    std::size_t rooms = 0;
    std::size_t sessions = 0;
    QueueCounts lockQueues;
    QueueCounts roomQueues;
    std::uint64_t acquired = 0; ///< grants and same-holder reacquires since start
    std::uint64_t released = 0; ///< releases and resignations since start
    std::uint64_t expired = 0;
    Revision revision;
    std::optional<WallTime> grantsAt; ///< the store was restored: no grants before
    /// Rooms that had a leader in the last 24 h and have none: it resigned, or was lost.
    std::size_t roomsResigned = 0;
    std::size_t roomsLost = 0;
};

struct StoreWorks
{
};

using Reply = std::variant<Granted, Renewed, Held, Delayed, Ended, Refused, Status, Listing, Fence,
                           SessionView, SessionEnded, AclChanged, Stored, Records, Counts,
                           StoreWorks, NameSurvey, SessionSurvey, QueueView>;

} // namespace octostore::coordination
