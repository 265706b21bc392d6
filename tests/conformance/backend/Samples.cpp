// SPDX-License-Identifier: MIT
#include "Samples.h"

#include <chrono>

namespace octostore::test
{

using backend::Collection;
using namespace std::chrono_literals;

namespace
{

template <class Id>
Id sampleId(std::uint8_t seed)
{
    Id id;
    for (std::size_t i = 0; i < id.uuid.bytes.size(); ++i)
        id.uuid.bytes[i] = static_cast<std::uint8_t>(seed * 16 + i);
    return id;
}

Digest sampleDigest(std::uint8_t seed)
{
    Digest digest;
    digest.fill(seed);
    digest[0] = 0;
    digest[31] = 0xff;
    return digest;
}

WallTime sampleTime(std::uint8_t seed)
{
    return WallTime(1'700'000'000s + 123'456'789ns * seed);
}

backend::Deadline sampleDeadline(std::uint8_t seed)
{
    return {BootTime(987'654'321'012ns + 1s * seed), "3f2e-boot:4026531834", sampleTime(seed)};
}

} // namespace

backend::LeaseRecord sampleLease(std::uint8_t seed, Term term)
{
    backend::LeaseRecord lease;
    lease.state = static_cast<backend::LeaseState>(1 + seed % 3);
    lease.kind = static_cast<backend::LeaseKind>(1 + seed % 2);
    lease.term = term;
    lease.holder = sampleId<HolderId>(seed);
    lease.principal = sampleId<PrincipalId>(static_cast<std::uint8_t>(seed + 1));
    lease.label = "Prüfer \"№ " + std::to_string(seed) + "\" \\ \n \U0001F419";
    lease.lease = sampleId<LeaseId>(static_cast<std::uint8_t>(seed + 2));
    lease.secretDigest = sampleDigest(seed);
    lease.tokenNonce = sampleId<LeaseId>(static_cast<std::uint8_t>(seed + 3)).uuid.bytes;
    lease.metadata = R"({"zone":"a","note":"ü"})";
    lease.ttl = 15s + 1ms * seed;
    lease.lockDelay = 3s;
    lease.session = sampleId<SessionId>(static_cast<std::uint8_t>(seed + 4));
    lease.ephemeral = seed % 2 == 1;
    lease.grantedAt = sampleTime(seed);
    lease.deadline = sampleDeadline(seed);
    lease.cause = static_cast<event::Cause>(seed % 8);
    lease.endedAt = sampleTime(static_cast<std::uint8_t>(seed + 1));
    return lease;
}

backend::Value sampleValue(Collection collection, std::uint8_t seed)
{
    const std::string text = "{\"n\":" + std::to_string(seed) + ",\"u\":\"\u00fc\\u0000\"}";
    switch (collection)
    {
    case Collection::Lease:
        return sampleLease(seed, Term(7));
    case Collection::Acl:
        return backend::AclRecord{{"token:abcdef", "user:anna", "user:bj\u00f6rn"}};
    case Collection::Session:
        return backend::SessionRecord{sampleId<PrincipalId>(seed), "anna", 30s,
                                      sampleDeadline(seed)};
    case Collection::Principal:
        return backend::PrincipalRecord{sampleId<PrincipalId>(seed),
                                        "bj\u00f6rn",
                                        "local",
                                        sampleDigest(seed),
                                        "team-a",
                                        "observer",
                                        sampleTime(seed)};
    case Collection::Webhook:
        return backend::WebhookRecord{text};
    case Collection::Cursor:
        return backend::CursorRecord{text};
    case Collection::Meta:
        return backend::MetaRecord{"plain \"text\" \u00fc"};
    }
    return {};
}

const std::vector<Collection>& allCollections()
{
    static const std::vector<Collection> all = {
        Collection::Lease,   Collection::Acl,    Collection::Session, Collection::Principal,
        Collection::Webhook, Collection::Cursor, Collection::Meta,
    };
    return all;
}

event::Draft sampleEvent(std::string name)
{
    event::Draft draft;
    draft.type = event::Type::LeaderChanged;
    draft.facts = {event::Type::LeaderExpired, event::Type::LeaderElected};
    draft.time = sampleTime(9);
    draft.kind = event::ResourceKind::Election;
    draft.name = std::move(name);
    draft.cause = event::Cause::Ttl;
    draft.reason = "it was \"stuck\"";
    draft.actor = {event::ActorKind::Candidate, "anna \u00fc"};
    draft.request = sampleId<RequestId>(5);
    draft.previous = event::Holding{"bj\u00f6rn", Term(3), std::nullopt};
    draft.current = event::Holding{"anna", Term{}, sampleTime(10)};
    draft.vacantMs = 250;
    return draft;
}

} // namespace octostore::test
