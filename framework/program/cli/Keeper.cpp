// SPDX-License-Identifier: MIT
#include "Keeper.h"

#include <algorithm>
#include <utility>

namespace octostore::program
{

namespace
{

using client::Line;

constexpr std::array<Line, 2> lines{Line::Lease, Line::Session};

} // namespace

void Keeper::drop(Line line)
{
    Slot& dropped = slot(line);
    if (dropped.call)
        _parts.calls.cancel(*dropped.call);
    dropped = Slot();
}

void Keeper::advance(BootTime now)
{
    for (const Line line : lines)
    {
        Slot& due = slot(line);
        if (!due.active || due.call)
            continue;
        const client::Lifeline& lifeline = _parts.authority.line(line);
        if (!due.hurried && now < lifeline.dueAt())
            continue;
        due.hurried = false;
        due.call = _parts.calls.start(line == Line::Lease ? _parts.claim.renewal()
                                                          : _parts.session->keepalive(),
                                      lifeline.tryTimeout(now, _parts.requestTimeout));
    }
}

std::optional<Kept> Keeper::handle(const Completion& completion, BootTime now)
{
    for (const Line line : lines)
        if (slot(line).call == completion.id)
        {
            slot(line).call.reset();
            return read(line, completion, now);
        }
    return std::nullopt;
}

std::optional<BootTime> Keeper::next() const
{
    std::optional<BootTime> next;
    for (const Line line : lines)
        if (slot(line).active && !slot(line).call)
        {
            const BootTime due = _parts.authority.line(line).dueAt();
            next = std::min(next.value_or(due), due);
        }
    return next;
}

Kept Keeper::read(Line line, const Completion& completion, BootTime now)
{
    ExtensionVerdict verdict = line == Line::Lease
                                   ? _parts.claim.readRenewal(completion.outcome)
                                   : _parts.session->readKeepalive(completion.outcome);
    Kept kept{line, false, std::nullopt, {}};
    if (auto* failure = std::get_if<client::Failure>(&verdict))
    {
        const Milliseconds pause = slot(line).backoff.next(_parts.random, failure->retryAfter);
        _parts.authority.fail(line, *failure, now, pause);
        kept.failure = std::move(*failure);
        return kept;
    }
    const auto& extended = std::get<Extended>(verdict);
    const BootTime before = _parts.authority.deadline();
    _parts.authority.confirm(line, {completion.sent, extended.waited}, now);
    slot(line).backoff.reset();
    kept.moved = _parts.authority.deadline() > before;
    kept.expiresAt = extended.expiresAt;
    return kept;
}

} // namespace octostore::program
