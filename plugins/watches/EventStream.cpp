// SPDX-License-Identifier: MIT
#include "EventStream.h"

#include <utility>

namespace octostore::watches
{

void EventStream::start(const Surroundings& around, const http::ExchangePtr& exchange,
                        EventFilter filter, const EventStart& from, StreamLimits::Place place)
{
    const auto stream =
        std::make_shared<EventStream>(around, exchange, std::move(filter), std::move(place));
    if (stream->listen())
        stream->begin(from);
}

EventStream::EventStream(const Surroundings& around, http::ExchangePtr exchange, EventFilter filter,
                         StreamLimits::Place place)
    : LiveStream(around, std::move(exchange), Topic(), std::move(place)), _filter(std::move(filter))
{
}

void EventStream::begin(const EventStart& from)
{
    open();
    const Sequence newest = around().journal.newest();
    const bool unknown =
        from.broken ||
        (from.after && (*from.after < around().journal.trimmed() || *from.after > newest));
    if (!unknown)
        return follow(from.after.value_or(newest));
    startAgain();
}

/// With the oldest there is: a reader that sees everything twice can tell by the sequences.
void EventStream::startAgain()
{
    send(resetFrame());
    follow(around().journal.trimmed());
}

std::vector<Frame> EventStream::framesOf(const event::Event& event)
{
    if (!_filter.matches(event))
        return {};
    return {eventFrame(event)};
}

bool EventStream::wants(const Delivery& delivery)
{
    return delivery.event && _filter.matches(*delivery.event);
}

} // namespace octostore::watches
