// SPDX-License-Identifier: MIT
#include <octostore/coordination/Command.h>
#include <octostore/coordination/Coordinator.h>

namespace octostore::coordination
{

Coordinator::~Coordinator() = default;

Priority priorityOf(const Request& request) noexcept
{
    if (const auto* session = std::get_if<SessionCommand>(&request.operation))
        return std::holds_alternative<OpenSession>(*session) ? Priority::Acquire : Priority::Keep;
    if (const auto* store = std::get_if<StoreRecords>(&request.operation))
        return store->priority;
    const auto* command = std::get_if<Command>(&request.operation);
    if (!command)
        // Reads cost next to nothing and are what a client falls back to.
        return Priority::HandOver;
    if (std::holds_alternative<Acquire>(*command) || std::holds_alternative<Campaign>(*command))
        return Priority::Acquire;
    const auto* end = std::get_if<EndOfLease>(command);
    if (end && !end->receipt)
        return Priority::Housekeeping;
    if (std::holds_alternative<ChangeAcl>(*command))
        return Priority::Acquire;
    return Priority::Keep;
}

} // namespace octostore::coordination
