// SPDX-License-Identifier: MIT
// Goal: docs/events.md shows every type of event as it is.
// Method: one event of each type is made as its maker does; its JSON must stand in the document
// under a heading of its type.
#include <octostore/event/EventJson.h>

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace octostore::test
{
namespace
{

using event::Actor;
using event::ActorKind;
using event::Cause;
using event::Event;
using event::Holding;
using event::ResourceKind;
using event::Type;

constexpr WallTime instant{std::chrono::seconds(1'785'718'923)};

struct Shape
{
    ResourceKind kind;
    const char* name;
    Cause cause = Cause::None;
    Actor actor = {};
};

/// What each type is about, why it happens and who does it.
Shape shapeOf(Type type)
{
    const Actor system{};
    const Actor user{ActorKind::User, "alice"};
    const Actor admin{ActorKind::Admin, "admin"};
    const Actor candidate{ActorKind::Candidate, "worker-1"};
    constexpr const char* lock = "jobs/import";
    constexpr const char* room = "q7mX2pWz-9Kd4vT1";
    constexpr const char* uuid = "0b6f7a52-1f0e-4a52-9d0b-5c7d3a1e9f44";
    switch (type)
    {
    case Type::LockAcquired:
        return {ResourceKind::Lock, lock, Cause::None, user};
    case Type::LockReleased:
    case Type::LockHandedOver:
        return {ResourceKind::Lock, lock, Cause::Released, user};
    case Type::LockExpired:
        return {ResourceKind::Lock, lock, Cause::Ttl, system};
    case Type::LockForceReleased:
        return {ResourceKind::Lock, lock, Cause::ForceReleased, admin};
    case Type::LeaderElected:
        return {ResourceKind::Election, room, Cause::None, candidate};
    case Type::LeaderResigned:
    case Type::LeaderChanged:
        return {ResourceKind::Election, room, Cause::Resigned, candidate};
    case Type::LeaderExpired:
        return {ResourceKind::Election, room, Cause::Ttl, system};
    case Type::LeaderRemoved:
        return {ResourceKind::Election, room, Cause::ForceReleased, admin};
    case Type::SessionCreated:
        return {ResourceKind::Session, uuid, Cause::None, user};
    case Type::SessionClosed:
        return {ResourceKind::Session, uuid, Cause::SessionClosed, user};
    case Type::SessionExpired:
        return {ResourceKind::Session, uuid, Cause::SessionExpired, system};
    case Type::AclChanged:
        return {ResourceKind::Acl, lock, Cause::None, user};
    case Type::TokenRotated:
    case Type::AccountCreated:
    case Type::AccountRemoved:
        return {ResourceKind::Account, "alice", Cause::None, user};
    case Type::WebhookCreated:
    case Type::WebhookChanged:
    case Type::WebhookRemoved:
        return {ResourceKind::Webhook, uuid, Cause::None, user};
    case Type::WebhookDisabled:
    case Type::WebhookFailing:
    case Type::WebhookExhausted:
    case Type::WebhookGap:
        return {ResourceKind::Webhook, uuid, Cause::None, system};
    case Type::ConfigReloaded:
        return {ResourceKind::Config, "1.0.0", Cause::None, system};
    case Type::ServerStarted:
    case Type::ServerStopped:
        return {ResourceKind::Server, "1.0.0", Cause::None, system};
    case Type::BackupTaken:
        return {ResourceKind::Backup,
                "2f7d1f0c1e3b5a4988776655443322110f1e2d3c4b5a69788796a5b4c3d2e1f0", Cause::None,
                admin};
    }
    return {ResourceKind::Server, ""};
}

bool isGrant(Type type)
{
    return type == Type::LockAcquired || type == Type::LeaderElected ||
           type == Type::LockHandedOver || type == Type::LeaderChanged;
}

std::vector<Type> factsOf(Type type)
{
    if (type == Type::LockHandedOver)
        return {Type::LockReleased, Type::LockAcquired};
    if (type == Type::LeaderChanged)
        return {Type::LeaderResigned, Type::LeaderElected};
    return {type};
}

/// What whoever made it has to say; empty: nothing.
std::string reasonOf(Type type)
{
    if (type == Type::WebhookDisabled)
        return "the receiver answered 410";
    if (type == Type::WebhookFailing)
        return "50 % of the time after which it is disabled have passed";
    if (type == Type::WebhookExhausted)
        return "delivery dlv_17: http_5xx";
    if (type == Type::WebhookGap)
        return "sequences 12 to 40";
    return shapeOf(type).cause == Cause::ForceReleased ? "the holder hangs" : "";
}

Event exampleOf(Type type)
{
    const Shape shape = shapeOf(type);
    Event event;
    event.sequence = Sequence(42);
    event::Draft& what = event.what;
    what.type = type;
    what.facts = factsOf(type);
    what.time = instant;
    what.kind = shape.kind;
    what.name = shape.name;
    what.cause = shape.cause;
    what.actor = shape.actor;
    if (shape.actor.kind != ActorKind::System)
        what.request = RequestId{*Uuid::parse("7d5f0c1e2b3a49588776655443322110")};
    what.reason = reasonOf(type);
    const bool room = shape.kind == ResourceKind::Election;
    const bool session = shape.kind == ResourceKind::Session;
    if (!room && !session && shape.kind != ResourceKind::Lock)
        return event;
    const std::string first = room ? "worker-1" : "alice";
    const std::string second = room ? "worker-2" : "bob";
    const Term term = session ? Term() : Term(17);
    if (!isGrant(type) && type != Type::SessionCreated)
        what.previous = Holding{first, term, instant + std::chrono::seconds(20)};
    if (type == Type::LockHandedOver || type == Type::LeaderChanged)
    {
        what.previous = Holding{first, term, instant + std::chrono::seconds(20)};
        what.current = Holding{second, Term(42), instant + std::chrono::seconds(30)};
        what.vacantMs = 0;
    }
    else if (isGrant(type))
    {
        what.previous = Holding{second, term, std::nullopt};
        what.current = Holding{first, Term(42), instant + std::chrono::seconds(30)};
        what.vacantMs = 1250;
    }
    else if (type == Type::SessionCreated)
        what.current = Holding{first, Term(), instant + std::chrono::seconds(60)};
    return event;
}

std::string document()
{
    std::ifstream file(OCTOSTORE_EVENTS_DOCUMENT);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST(EventExamplesTest, TheDocumentShowsEveryTypeAsItIs)
{
    const std::string text = document();
    ASSERT_FALSE(text.empty()) << OCTOSTORE_EVENTS_DOCUMENT;
    for (auto i = static_cast<int>(Type::LockAcquired); i <= static_cast<int>(event::lastType); ++i)
    {
        const auto type = static_cast<Type>(i);
        const std::string heading = "### `" + std::string(event::typeName(type)) + "`";
        const std::string example = event::toJson(exampleOf(type));
        const auto at = text.find(heading + "\n");
        EXPECT_NE(at, std::string::npos) << heading << "\n" << example;
        const std::string part =
            at == std::string::npos ? "" : text.substr(at, text.find("\n### ", at + 1) - at);
        EXPECT_NE(part.find("\n" + example + "\n"), std::string::npos) << heading << '\n'
                                                                       << example;
    }
}

} // namespace
} // namespace octostore::test
