// SPDX-License-Identifier: MIT
/// @file
/// The rules of sessions. Pure, like those of leases.
#pragma once

#include "coordination/Rules.h"

#include <cstddef>
#include <optional>
#include <variant>

namespace octostore::coordination
{

struct SessionSubject
{
    const event::Actor& actor;
    RequestId request;
};

/// The session is opened, kept alive, or ended (`ended` says when and why).
struct SessionWrite
{
    backend::Transaction transaction;
    backend::SessionRecord after;
    std::optional<SessionEnd> ended;
    Reply reply;
};

using SessionDecision = std::variant<Answer, SessionWrite>;

/// `state` is null when no such session is known; `open` is how many the principal has.
OCTOSTORE_API SessionDecision decideSession(const SessionSubject& subject,
                                            const SessionState* state, std::size_t open,
                                            const Limits& limits, const SessionCommand& command,
                                            Now now);

/// Why a session cannot be used; nothing when it can.
OCTOSTORE_API std::optional<Error> sessionRefusal(const SessionState* state, PrincipalId principal,
                                                  BootTime now);

/// `locks` is not filled in.
OCTOSTORE_API SessionView viewOf(const SessionState& state, BootTime now);

} // namespace octostore::coordination
