// SPDX-License-Identifier: MIT
#include "EventPoll.h"

#include <octostore/base/Json.h>
#include <octostore/event/EventJson.h>

#include <algorithm>
#include <utility>

namespace octostore::watches
{

namespace
{

constexpr std::size_t pageEvents = 1000;
/// Most events one request looks at.
constexpr std::size_t lookMax = 20'000;

} // namespace

void EventPoll::start(const Surroundings& around, const http::ExchangePtr& exchange,
                      EventFilter filter, const EventPage& page, StreamLimits::Place place)
{
    const auto poll =
        std::make_shared<EventPoll>(around, exchange, std::move(filter), page, std::move(place));
    if (poll->listen())
        poll->look();
}

EventPoll::EventPoll(const Surroundings& around, http::ExchangePtr exchange, EventFilter filter,
                     const EventPage& page, StreamLimits::Place place)
    : _around(around),
      _executor(exchange->executor()),
      _exchange(std::move(exchange)),
      _filter(std::move(filter)),
      _page(page),
      _until(around.clock.bootTime() + page.wait),
      _place(std::move(place)),
      // Above the newest event is no gap: commits without an event take sequences too.
      _next(std::max(page.since, around.journal.trimmed())),
      _gap(page.since > Sequence() && page.since < around.journal.trimmed())
{
}

bool EventPoll::listen()
{
    if (const auto done = _around.hub.subscribe(Topic(), shared_from_this()); !done)
    {
        end(done.error());
        return false;
    }
    const auto weak = weak_from_this();
    _credential = _exchange->onRevoked(
        [weak]
        {
            if (const auto self = weak.lock())
                self->end(
                    {ErrorCode::AuthenticationFailed, "The credential was revoked or changed."});
        });
    _exchange->onAbandoned(
        [weak]
        {
            if (const auto self = weak.lock())
                self->leave();
        });
    return true;
}

void EventPoll::look()
{
    if (!_exchange)
        return;
    _looking = true;
    const auto events = _around.journal.recent(_next, pageEvents);
    if (!events)
        return read();
    // The end of the journal is only seen here, on the thread that deliveries come to.
    if (!events->empty())
        return take(*events, events->back()->sequence);
    _looking = false;
    if (!_found.empty() || _around.clock.bootTime() >= _until)
        answer();
}

void EventPoll::read()
{
    _around.errands.run(
        [weak = weak_from_this(), executor = _executor, &journal = _around.journal, after = _next]
        {
            Sequence upTo = journal.newest();
            const auto events = journal.read(after, pageEvents);
            if (events && events->size() >= pageEvents)
                upTo = events->back()->sequence;
            executor->post({[weak, events, upTo]
                            {
                                const auto self = weak.lock();
                                if (self && events)
                                    self->take(*events, upTo);
                                else if (self)
                                    self->end(events.error());
                            }});
        });
}

void EventPoll::take(const std::vector<event::EventPtr>& events, Sequence upTo)
{
    if (!_exchange)
        return;
    for (const event::EventPtr& event : events)
    {
        _next = std::max(_next, event->sequence);
        if (_filter.matches(*event))
            _found.push_back(event);
        if (_found.size() == _page.limit)
            return answer();
    }
    _next = std::max(_next, upTo);
    _looked += events.size();
    if (_looked >= lookMax)
        return answer();
    _executor->post({[self = shared_from_this()] { self->look(); }});
}

void EventPoll::deliver(const Delivery& delivery) noexcept
{
    if (_exchange && !_looking && delivery.event && delivery.event->sequence > _next)
        look();
}

void EventPoll::tick() noexcept
{
    if (_exchange && !_looking && _around.clock.bootTime() >= _until)
        answer();
}

void EventPoll::answer()
{
    JsonWriter json;
    json.beginObject().key("events").beginArray();
    for (const event::EventPtr& event : _found)
        json.raw(event::toJson(*event));
    json.endArray().field("next_since", _next.value());
    if (_gap)
        json.field("reset", true);
    const http::ExchangePtr exchange = _exchange;
    leave();
    exchange->respond(http::jsonResponse(json.endObject().take()));
}

void EventPoll::end(const Error& why) noexcept
{
    const http::ExchangePtr exchange = _exchange;
    leave();
    if (exchange)
        exchange->respond(why);
}

void EventPoll::leave()
{
    const auto self = shared_from_this();
    _around.hub.unsubscribe(Topic(), *this);
    _exchange.reset();
    _credential.reset();
    _place.reset();
}

} // namespace octostore::watches
