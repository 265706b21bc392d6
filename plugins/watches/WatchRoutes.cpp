// SPDX-License-Identifier: MIT
#include "WatchRoutes.h"

#include "EventId.h"
#include "EventPoll.h"
#include "EventStream.h"
#include "NameWatch.h"

#include <octostore/base/Text.h>
#include <octostore/coordination/Name.h>
#include <octostore/http/LockAccess.h>

#include <functional>
#include <limits>
#include <utility>

namespace octostore::watches
{

namespace
{

constexpr std::uint64_t waitSecondsMax = 300;
constexpr std::uint64_t limitMax = 1000;
constexpr std::uint64_t limitDefault = 100;

/// Nothing when there is none; some clients send an empty one for none.
std::optional<std::string> lastEventIdOf(const http::Exchange& exchange)
{
    const std::string* header = exchange.request().headers.find("last-event-id");
    if (header == nullptr || header->empty())
        return std::nullopt;
    return *header;
}

bool wantsStream(const http::Exchange& exchange)
{
    const std::string* accept = exchange.request().headers.find("accept");
    return accept != nullptr && toLower(*accept).find("text/event-stream") != std::string::npos;
}

/// What an event request says beside its filter.
struct EventQuery
{
    static Result<EventQuery> read(const http::Query& query)
    {
        const auto since = query.integer("since", 0, std::numeric_limits<std::uint64_t>::max());
        if (!since)
            return since.error();
        const auto limit = query.integer("limit", 1, limitMax);
        if (!limit)
            return limit.error();
        const auto wait = query.integer("wait_seconds", 0, waitSecondsMax);
        if (!wait)
            return wait.error();
        EventQuery read;
        if (*since)
            read.since = Sequence(**since);
        read.limit = limit->value_or(limitDefault);
        read.wait = std::chrono::seconds(static_cast<std::int64_t>(wait->value_or(0)));
        return read;
    }

    std::optional<Sequence> since;
    std::size_t limit = limitDefault;
    std::chrono::seconds wait{0};
};

EventStart startOf(const http::Exchange& exchange, const EventQuery& query)
{
    // A browser that connects again asks the same address, and says what it has seen in the header.
    if (const auto seen = lastEventIdOf(exchange))
    {
        const auto id = parseEventId(*seen);
        return {id, !id};
    }
    return {query.since, false};
}

} // namespace

WatchRoutes::WatchRoutes(const Surroundings& around, Settings settings)
    : _around(around), _settings(std::make_shared<const Settings>(std::move(settings)))
{
}

std::vector<http::Route> WatchRoutes::routes()
{
    using http::Access;
    using http::Body;
    using http::Method;
    return {
        {Method::Get, "/locks/{name...}/watch", Access::User, Body::Ignored, false,
         std::bind_front(&WatchRoutes::watchLock, this)},
        {Method::Get, "/elections/{id}/watch", Access::Public, Body::Ignored, false,
         std::bind_front(&WatchRoutes::watchRoom, this)},
        {Method::Get, "/events", Access::User, Body::Ignored, false,
         std::bind_front(&WatchRoutes::events, this)},
    };
}

void WatchRoutes::set(Settings settings)
{
    auto next = std::make_shared<const Settings>(std::move(settings));
    MutexLock lock(_mutex);
    _settings = std::move(next);
}

std::shared_ptr<const Settings> WatchRoutes::settings() const
{
    MutexLock lock(_mutex);
    return _settings;
}

StreamLimits::Place WatchRoutes::placeFor(const http::ExchangePtr& exchange,
                                          StreamLimits::Admission admission)
{
    if (const auto* refused = std::get_if<StreamLimits::Refusal>(&admission))
    {
        exchange->respond(http::errorResponse(refused->error, exchange->id(), refused->details));
        return nullptr;
    }
    return std::get<StreamLimits::Place>(std::move(admission));
}

void WatchRoutes::watchLock(const http::ExchangePtr& exchange)
{
    const std::string& name = exchange->parameter("name");
    if (const auto checked = coordination::checkLockName(name); !checked)
        return exchange->respond(checked.error());
    if (const auto allowed = http::checkMayUse(name, exchange->caller()); !allowed)
        return exchange->respond(allowed.error());
    auto place = placeFor(exchange, _limits.admit(exchange->caller().principal, *settings()));
    if (place == nullptr)
        return;
    NameWatch::start(_around, exchange,
                     {event::ResourceKind::Lock, name, lastEventIdOf(*exchange), std::nullopt},
                     std::move(place));
}

void WatchRoutes::watchRoom(const http::ExchangePtr& exchange)
{
    const auto settings = this->settings();
    if (!settings->elections)
        return exchange->respond(Error{ErrorCode::Forbidden, "This server serves no elections."});
    const std::string& room = exchange->parameter("id");
    if (const auto checked = coordination::checkRoomId(room); !checked)
        return exchange->respond(checked.error());
    const http::Request& request = exchange->request();
    const http::IpAddress client =
        http::clientAddress(request.peer, request.headers, settings->trust).client();
    auto place = placeFor(exchange, _limits.admitToRoom(client, *settings));
    if (place == nullptr)
        return;
    NameWatch::start(
        _around, exchange,
        {event::ResourceKind::Election, room, lastEventIdOf(*exchange), settings->roomStreamLife},
        std::move(place));
}

void WatchRoutes::events(const http::ExchangePtr& exchange)
{
    const auto query = http::Query::parse(exchange->request().query());
    if (!query)
        return exchange->respond(query.error());
    const auto asked = EventQuery::read(*query);
    if (!asked)
        return exchange->respond(asked.error());
    auto filter = EventFilter::read(*query, exchange->caller());
    if (!filter)
        return exchange->respond(filter.error());
    auto place = placeFor(exchange, _limits.admit(exchange->caller().principal, *settings()));
    if (place == nullptr)
        return;
    if (wantsStream(*exchange))
        return EventStream::start(_around, exchange, *std::move(filter), startOf(*exchange, *asked),
                                  std::move(place));
    EventPoll::start(_around, exchange, *std::move(filter),
                     {asked->since.value_or(Sequence()), asked->limit, asked->wait},
                     std::move(place));
}

} // namespace octostore::watches
