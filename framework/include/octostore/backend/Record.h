// SPDX-License-Identifier: MIT
/// @file
/// What a backend stores. It never interprets these values.
#pragma once

#include <octostore/base/Digest.h>
#include <octostore/base/Id.h>
#include <octostore/base/SharedText.h>
#include <octostore/base/Time.h>
#include <octostore/event/Event.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace octostore::backend
{

/// A released value never changes: it is in stored data.
enum class Collection : std::uint8_t
{
    Lease = 1,
    Acl,
    Session,
    Principal,
    Webhook,
    Cursor,
    Meta,
};

struct Key
{
    Collection collection = Collection::Lease;
    std::string name;
    auto operator<=>(const Key&) const = default;
};

enum class LeaseState : std::uint8_t
{
    Held = 1,
    Cooling, ///< ended, and nobody may acquire before the deadline (the lock delay)
    Vacant,  ///< ended; remembered until the deadline
};

enum class LeaseKind : std::uint8_t
{
    Lock = 1,
    Election,
};

/// A point in time that survives a restart: boot time means something only together with the
/// identity of its clock. An empty clock: no deadline.
struct Deadline
{
    BootTime boot;
    SharedText clock;
    WallTime wall; ///< for people
    bool operator==(const Deadline&) const = default;
};

/// One per name. Elections are locks with a policy; their names stand under `__election/`.
struct LeaseRecord
{
    LeaseState state = LeaseState::Vacant;
    LeaseKind kind = LeaseKind::Lock;
    bool ephemeral = false;                  ///< lives only while its session does
    event::Cause cause = event::Cause::None; ///< once ended
    /// In a put: 0 means "the revision of this commit".
    Term term;
    HolderId holder;       ///< the account or session; for an election drawn for each campaign
    PrincipalId principal; ///< the account behind the holder; nil for an election
    std::string label;     ///< for people: account name or candidate_id
    LeaseId lease;         ///< nil for an election
    /// SHA-256 of the leader token, or, once a lock's lease has ended, of its lease ID's bytes.
    Digest secretDigest{};
    std::array<std::uint8_t, 16> tokenNonce{}; ///< what the leader token was derived with
    std::optional<SharedText> metadata;
    Milliseconds ttl{0};       ///< of the last grant or renewal; of the delay while cooling
    Milliseconds lockDelay{0}; ///< starts when the lease ends
    SessionId session;         ///< nil: none
    WallTime grantedAt;
    Deadline deadline; ///< of the lease, of cooling, or of being remembered
    WallTime endedAt;  ///< once ended
    bool operator==(const LeaseRecord&) const = default;
};

struct AclRecord
{
    std::vector<std::string> acquire; ///< `user:<name>` or `token:<digest in hex>`, sorted
    bool operator==(const AclRecord&) const = default;
};

struct SessionRecord
{
    PrincipalId principal;
    std::string label; ///< for people: account name
    Milliseconds ttl{0};
    Deadline deadline;
    bool operator==(const SessionRecord&) const = default;
};

struct PrincipalRecord
{
    PrincipalId id;
    std::string name;
    std::string identityClass; ///< static, local
    Digest tokenDigest{};
    std::string space; ///< namespace; empty: none
    std::string role;  ///< user, observer, admin
    WallTime createdAt;
    bool operator==(const PrincipalRecord&) const = default;
};

/// Opaque to everything but its plugin: JSON text.
struct WebhookRecord
{
    std::string document;
    bool operator==(const WebhookRecord&) const = default;
};

struct CursorRecord
{
    std::string document;
    bool operator==(const CursorRecord&) const = default;
};

struct MetaRecord
{
    std::string text;
    bool operator==(const MetaRecord&) const = default;
};

using Value = std::variant<std::monostate, LeaseRecord, AclRecord, SessionRecord, PrincipalRecord,
                           WebhookRecord, CursorRecord, MetaRecord>;

/// A value with the revision of its last write. monostate: erased at `version`.
struct Record
{
    Key key;
    Value value;
    Revision version;
    bool operator==(const Record&) const = default;
};

} // namespace octostore::backend
