// SPDX-License-Identifier: MIT
#include "NameWatch.h"

#include "EventId.h"

#include <octostore/coordination/Name.h>

#include <utility>

namespace octostore::watches
{

using event::ResourceKind;

void NameWatch::start(const Surroundings& around, const http::ExchangePtr& exchange,
                      NameWatchOrder order, StreamLimits::Place place)
{
    const auto watch =
        std::make_shared<NameWatch>(around, exchange, std::move(order), std::move(place));
    if (watch->listen())
        watch->askStatus(Beginning::First);
}

NameWatch::NameWatch(const Surroundings& around, http::ExchangePtr exchange, NameWatchOrder order,
                     StreamLimits::Place place)
    : LiveStream(around, std::move(exchange), Topic{order.kind, order.name}, std::move(place)),
      _order(std::move(order))
{
}

void NameWatch::askStatus(Beginning beginning)
{
    coordination::Request request;
    request.name = _order.kind == ResourceKind::Election
                       ? coordination::leaseNameOfRoom(_order.name)
                       : _order.name;
    request.operation = coordination::Query(coordination::GetStatus{});
    request.arrived = around().clock.bootTime();
    const auto self = std::static_pointer_cast<NameWatch>(shared_from_this());
    around().coordinator.submit(
        std::move(request), executor(),
        [self, beginning](const coordination::Reply& reply)
        {
            if (self->ended())
                return;
            if (const auto* status = std::get_if<coordination::Status>(&reply))
                return self->begin(*status, beginning);
            const auto* refused = std::get_if<coordination::Refused>(&reply);
            self->end(refused != nullptr
                          ? refused->error
                          : Error{ErrorCode::Internal, "not the answer of a status"});
        });
}

void NameWatch::begin(const coordination::Status& status, Beginning beginning)
{
    if (beginning == Beginning::First)
    {
        open();
        if (_order.life)
            liveUntil(around().clock.bootTime() + *_order.life);
    }
    _live = status.lease ? std::optional(status.lease->term) : std::nullopt;
    _liveAsOf = Sequence(status.asOf.value());
    if (beginning == Beginning::Again || !_order.lastEventId)
        return snapshot(status);
    if (const auto point = resumePoint(status.asOf))
        return follow(*point);
    send(resetFrame());
    snapshot(status);
}

void NameWatch::snapshot(const coordination::Status& status)
{
    coordination::Status shown = status;
    shown.name = _order.name;
    const Now now = around().clock.now();
    send(_order.kind == ResourceKind::Election ? roomSnapshot(_order.name, shown, now)
                                               : lockSnapshot(shown, now.wall));
    follow(Sequence(status.asOf.value()));
}

std::optional<Sequence> NameWatch::resumePoint(Revision asOf) const
{
    const auto id = parseEventId(*_order.lastEventId);
    // An id that was never given out comes from before a restored store, or from somebody else.
    if (!id || *id < around().journal.trimmed() || id->value() > asOf.value())
        return std::nullopt;
    return id;
}

void NameWatch::startAgain()
{
    send(resetFrame());
    askStatus(Beginning::Again);
}

void NameWatch::note(const event::Event& event)
{
    if (event.sequence <= _liveAsOf)
        return;
    _liveAsOf = event.sequence;
    _live = event.what.current ? std::optional(event.what.current->term) : std::nullopt;
}

std::vector<Frame> NameWatch::framesOf(const event::Event& event)
{
    if (event.what.kind != _order.kind || event.what.name != _order.name)
        return {};
    note(event);
    return transitionFrames(event);
}

bool NameWatch::wants(const Delivery& delivery)
{
    if (!delivery.event)
        return _live == delivery.renewed;
    note(*delivery.event);
    return true;
}

std::string_view NameWatch::keepAlive() const noexcept
{
    return _order.kind == ResourceKind::Election ? "keepalive" : "";
}

} // namespace octostore::watches
