// SPDX-License-Identifier: MIT
#include <octostore/base/Assert.h>
#include <octostore/event/Event.h>

namespace octostore::event
{

// No default in these switches: a new enumerator does not compile until it has a name.

std::string_view typeName(Type type) noexcept
{
    switch (type)
    {
    case Type::LockAcquired:
        return "lock.acquired";
    case Type::LockReleased:
        return "lock.released";
    case Type::LockExpired:
        return "lock.expired";
    case Type::LockForceReleased:
        return "lock.force_released";
    case Type::LockHandedOver:
        return "lock.handed_over";
    case Type::LeaderElected:
        return "election.leader_elected";
    case Type::LeaderResigned:
        return "election.leader_resigned";
    case Type::LeaderExpired:
        return "election.leader_expired";
    case Type::LeaderRemoved:
        return "election.leader_removed";
    case Type::LeaderChanged:
        return "election.leader_changed";
    case Type::SessionCreated:
        return "session.created";
    case Type::SessionClosed:
        return "session.closed";
    case Type::SessionExpired:
        return "session.expired";
    case Type::AclChanged:
        return "acl.changed";
    case Type::TokenRotated:
        return "token.rotated";
    case Type::AccountCreated:
        return "account.created";
    case Type::AccountRemoved:
        return "account.removed";
    case Type::WebhookCreated:
        return "webhook.created";
    case Type::WebhookChanged:
        return "webhook.changed";
    case Type::WebhookRemoved:
        return "webhook.removed";
    case Type::WebhookDisabled:
        return "webhook.disabled";
    case Type::WebhookFailing:
        return "webhook.failing";
    case Type::WebhookExhausted:
        return "webhook.exhausted";
    case Type::WebhookGap:
        return "webhook.gap";
    case Type::ConfigReloaded:
        return "config.reloaded";
    case Type::ServerStarted:
        return "server.started";
    case Type::ServerStopped:
        return "server.stopped";
    case Type::BackupTaken:
        return "backup.taken";
    }
    assertionFailed("a known event type", __FILE__, __LINE__);
}

std::string_view causeName(Cause cause) noexcept
{
    switch (cause)
    {
    case Cause::None:
        return {};
    case Cause::Ttl:
        return "ttl";
    case Cause::Released:
        return "released";
    case Cause::Resigned:
        return "resigned";
    case Cause::SessionClosed:
        return "session_closed";
    case Cause::SessionExpired:
        return "session_expired";
    case Cause::ForceReleased:
        return "force_released";
    case Cause::Undelivered:
        return "undelivered";
    }
    assertionFailed("a known cause", __FILE__, __LINE__);
}

std::string_view resourceKindName(ResourceKind kind) noexcept
{
    switch (kind)
    {
    case ResourceKind::Lock:
        return "lock";
    case ResourceKind::Election:
        return "election";
    case ResourceKind::Session:
        return "session";
    case ResourceKind::Acl:
        return "acl";
    case ResourceKind::Webhook:
        return "webhook";
    case ResourceKind::Account:
        return "account";
    case ResourceKind::Config:
        return "config";
    case ResourceKind::Server:
        return "server";
    case ResourceKind::Backup:
        return "backup";
    }
    assertionFailed("a known kind of resource", __FILE__, __LINE__);
}

std::string_view actorKindName(ActorKind kind) noexcept
{
    switch (kind)
    {
    case ActorKind::System:
        return "system";
    case ActorKind::User:
        return "user";
    case ActorKind::Candidate:
        return "candidate";
    case ActorKind::Admin:
        return "admin";
    }
    assertionFailed("a known kind of actor", __FILE__, __LINE__);
}

} // namespace octostore::event
