// SPDX-License-Identifier: MIT
/// @file
/// What happened: the facts the journal keeps.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Id.h>
#include <octostore/base/Time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::event
{

/// A past-tense fact. The wire name of each is in typeName(); a released value never changes.
enum class Type : std::uint8_t
{
    LockAcquired = 1,
    LockReleased,
    LockExpired,
    LockForceReleased,
    LockHandedOver, ///< an end and a grant in one
    LeaderElected,
    LeaderResigned,
    LeaderExpired,
    LeaderRemoved,
    LeaderChanged, ///< an end and a grant in one
    SessionCreated,
    SessionClosed,
    SessionExpired,
    AclChanged,
    TokenRotated,
    AccountCreated,
    AccountRemoved,
    WebhookCreated,
    WebhookChanged,
    WebhookRemoved,
    WebhookDisabled,
    WebhookFailing,   ///< a part of the time after which it is disabled has passed
    WebhookExhausted, ///< a delivery is given up
    WebhookGap,       ///< events were trimmed that it had not got
    ConfigReloaded,
    ServerStarted,
    ServerStopped,
    BackupTaken,
};
constexpr Type lastType = Type::BackupTaken;

/// Why a lease or session ended, or a change was made.
enum class Cause : std::uint8_t
{
    None = 0,
    Ttl,            ///< its deadline passed
    Released,       ///< its holder released it
    Resigned,       ///< the leader resigned
    SessionClosed,  ///< its session was closed
    SessionExpired, ///< its session's deadline passed
    ForceReleased,  ///< an administrator ended it
    Undelivered,    ///< the grant never reached the client
};

enum class ResourceKind : std::uint8_t
{
    Lock = 1,
    Election,
    Session,
    Acl,
    Webhook,
    Account,
    Config,
    Server,
    Backup,
};

enum class ActorKind : std::uint8_t
{
    System = 0,
    User,
    Candidate,
    Admin,
};

struct Actor
{
    ActorKind kind = ActorKind::System;
    std::string name;
    bool operator==(const Actor&) const = default;
};

/// One side of a change of holder. In a draft, term 0 means "the revision of this commit".
struct Holding
{
    std::string holder;
    Term term;
    std::optional<WallTime> expiresAt;
    std::optional<std::string> metadata{}; ///< of a leader; for watchers of its room only
    bool operator==(const Holding&) const = default;
};

/// An event before its commit gave it a sequence.
struct Draft
{
    Type type = Type::LockAcquired;
    std::vector<Type> facts; ///< one, or two for an end and a grant in one
    WallTime time;
    ResourceKind kind = ResourceKind::Lock;
    std::string name;
    Cause cause = Cause::None;
    std::string reason; ///< what an administrator said
    Actor actor;
    RequestId request;
    std::optional<Holding> previous;
    std::optional<Holding> current;
    std::optional<std::uint64_t> vacantMs; ///< how long nobody held it, where that is known
    bool operator==(const Draft&) const = default;
};

struct Event
{
    Sequence sequence;
    Draft what;
    bool operator==(const Event&) const = default;
};

/// `lock.acquired`, `election.leader_changed`, ...
OCTOSTORE_API std::string_view typeName(Type type) noexcept;
/// `ttl`, `session_closed`, ...; empty for None.
OCTOSTORE_API std::string_view causeName(Cause cause) noexcept;
OCTOSTORE_API std::string_view resourceKindName(ResourceKind kind) noexcept;
OCTOSTORE_API std::string_view actorKindName(ActorKind kind) noexcept;

} // namespace octostore::event
