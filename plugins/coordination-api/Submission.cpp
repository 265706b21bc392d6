// SPDX-License-Identifier: MIT
#include "Submission.h"

#include "GrantFigures.h"

#include <octostore/http/ErrorResponse.h>

#include <memory>
#include <utility>

namespace octostore::coordination_api
{

namespace
{

using coordination::Granted;
using coordination::Refused;
using coordination::Renewed;
using coordination::Reply;

/// How the caller's own lease ended, as a member of the error envelope.
std::string endedMember(const coordination::EndedLease& ended)
{
    JsonWriter json;
    json.beginObject()
        .field("term", ended.term.value())
        .field("cause", event::causeName(ended.cause))
        .field("at", toRfc3339(ended.at))
        .endObject();
    return "\"ended\":" + json.take();
}

http::Response refusal(const Refused& refused, RequestId request)
{
    http::ErrorDetails details;
    details.retryAfterSeconds = refused.retryAfterSeconds;
    if (refused.ended)
        details.members = endedMember(*refused.ended);
    return http::errorResponse(refused.error, request, details);
}

/// What the answer gives is over at `now`.
bool isOver(const Reply& reply, BootTime now)
{
    if (const auto* granted = std::get_if<Granted>(&reply))
        return authorityMs(granted->lease, now) == 0;
    if (const auto* renewed = std::get_if<Renewed>(&reply))
        return authorityMs(renewed->lease, now) == 0;
    return false;
}

/// One request on its way. Lives on the exchange's thread.
class Submission : public std::enable_shared_from_this<Submission>
{
public:
    Submission(const Engine& engine, http::ExchangePtr exchange, Render render)
        : _engine(engine), _exchange(std::move(exchange)), _render(std::move(render))
    {
    }

    void start(coordination::Request request)
    {
        _name = request.name;
        const auto* session = std::get_if<coordination::SessionCommand>(&request.operation);
        _extendsSession = session != nullptr;
        _keepsAlive = session && std::holds_alternative<coordination::KeepAlive>(*session);
        const bool grants = mayGrant(request);
        _grants = grants;
        _kind = kindOf(request);
        const bool waits = request.wait > Milliseconds(0);
        request.id = _exchange->id();
        request.arrived = _exchange->request().arrived;
        const coordination::Ticket ticket = _engine.coordinator.submit(
            std::move(request), _exchange->executor(),
            [self = shared_from_this()](Reply reply) { self->answer(reply); });
        // Only who may be granted something can wait for it or has to give it back.
        if (grants)
            _exchange->onAbandoned([&coordinator = _engine.coordinator, ticket]
                                   { coordinator.abandon(ticket); });
        if (grants && waits)
            _credential = _exchange->onRevoked(
                [weak = weak_from_this(), ticket]
                {
                    if (const auto self = weak.lock())
                        self->revoked(ticket);
                });
    }

private:
    static bool mayGrant(const coordination::Request& request)
    {
        const auto* command = std::get_if<coordination::Command>(&request.operation);
        return command != nullptr && (std::holds_alternative<coordination::Acquire>(*command) ||
                                      std::holds_alternative<coordination::Campaign>(*command));
    }

    static event::ResourceKind kindOf(const coordination::Request& request)
    {
        const auto* command = std::get_if<coordination::Command>(&request.operation);
        return command != nullptr && std::holds_alternative<coordination::Campaign>(*command)
                   ? event::ResourceKind::Election
                   : event::ResourceKind::Lock;
    }

    /// Who waits may not be served any more.
    void revoked(coordination::Ticket ticket)
    {
        if (_exchange->answered())
            return;
        _engine.coordinator.abandon(ticket);
        _revoked = true;
        _exchange->respond(
            Error{ErrorCode::AuthenticationFailed, "The credential was revoked or changed."});
    }

    void count(GrantFigures& figures, const Reply& reply) const
    {
        if (_grants)
            figures.count(reply, _kind);
        else if (_keepsAlive && std::holds_alternative<coordination::SessionView>(reply))
            figures.countKeepAlive();
        else
            figures.countFence(reply);
    }

    void answer(const Reply& reply)
    {
        _credential.reset();
        if (_engine.figures != nullptr)
            count(*_engine.figures, reply);
        const BootTime now = _engine.clock.bootTime();
        if (_revoked)
        {
            // Granted before the engine heard of it.
            if (const auto* granted = std::get_if<Granted>(&reply); granted && granted->fresh)
                giveBack(_engine, _exchange->executor(), backOf(granted->receipt));
            return;
        }
        if (const auto* refused = std::get_if<Refused>(&reply))
            return _exchange->respond(refusal(*refused, _exchange->id()));
        const auto* session = std::get_if<coordination::SessionView>(&reply);
        const bool ranOut =
            isOver(reply, now) || (_extendsSession && session && authorityMs(*session, now) == 0);
        if (ranOut)
            return _exchange->respond(
                Error{ErrorCode::OutcomeUnknown, "It ran out before it could be answered."});

        std::optional<http::Response> response = _render(reply, now);
        if (!response)
            return _exchange->respond(
                Error{ErrorCode::Internal, "The engine's reply fits no answer of this route."});
        if (const auto* granted = std::get_if<Granted>(&reply); granted && granted->fresh)
            giveBackIfUndelivered(granted->receipt);
        _exchange->respond(std::move(*response));
    }

    coordination::Request backOf(const coordination::Receipt& receipt) const
    {
        coordination::Request back;
        back.name = _name;
        back.operation = coordination::EndOfLease{event::Cause::Undelivered, receipt};
        back.id = _exchange->id();
        return back;
    }

    static void giveBack(const Engine& engine, const std::shared_ptr<Executor>& executor,
                         coordination::Request back)
    {
        back.arrived = engine.clock.bootTime();
        engine.coordinator.submit(std::move(back), executor, [](const Reply&) {});
    }

    void giveBackIfUndelivered(const coordination::Receipt& receipt)
    {
        _exchange->onDelivered(
            [engine = _engine, executor = _exchange->executor(),
             back = backOf(receipt)](bool whole) mutable
            {
                if (!whole)
                    giveBack(engine, executor, std::move(back));
            });
    }

    const Engine _engine;
    const http::ExchangePtr _exchange;
    const Render _render;
    std::string _name;
    bool _extendsSession = false;
    bool _keepsAlive = false;
    bool _grants = false;
    event::ResourceKind _kind = event::ResourceKind::Lock; ///< of what may be granted
    bool _revoked = false;
    http::CredentialHold _credential; ///< while it waits
};

} // namespace

void submit(const Engine& engine, const http::ExchangePtr& exchange, coordination::Request request,
            Render render)
{
    std::make_shared<Submission>(engine, exchange, std::move(render))->start(std::move(request));
}

std::uint64_t authorityMs(const coordination::LeaseView& lease, BootTime now) noexcept
{
    return wholeMilliseconds(lease.authority - now);
}

std::uint64_t authorityMs(const coordination::SessionView& session, BootTime now) noexcept
{
    return wholeMilliseconds(session.deadline - now);
}

} // namespace octostore::coordination_api
