// SPDX-License-Identifier: MIT
/// @file
/// How plugins learn of what happened.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/event/Event.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::event
{

/// A lease got a new deadline. It is no event: it has no sequence and nobody can ask for it later.
struct Renewal
{
    ResourceKind kind = ResourceKind::Lock;
    std::string name;
    std::string holder;                  ///< for people: account name or candidate_id
    std::optional<std::string> metadata; ///< of a leader
    Term term;
    WallTime expiresAt;
    WallTime time;
};

using EventPtr = std::shared_ptr<const Event>;

/// Extension point: sees every event once, in order of its sequence, and the renewals that were
/// committed between them. Both calls come from the publisher's thread and must be quick: whatever
/// takes long copies the pointers and works elsewhere.
/// Thread-safety: thread-affine(publisher).
class OCTOSTORE_API Consumer
{
public:
    static constexpr std::string_view extensionPoint = "event.consumer/1";
    virtual ~Consumer();
    virtual void events(const std::vector<EventPtr>& batch) noexcept = 0;
    virtual void renewals(const std::vector<Renewal>& batch) noexcept { (void)batch; }
};

} // namespace octostore::event
