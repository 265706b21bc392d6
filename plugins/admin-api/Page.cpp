// SPDX-License-Identifier: MIT
#include "Page.h"

#include <octostore/base/Digest.h>
#include <octostore/base/Text.h>

#include <algorithm>
#include <span>
#include <utility>

namespace octostore::admin_api
{

namespace
{

constexpr char separator = '|'; ///< in no name of a lock, room or session
constexpr std::size_t digitsMax = 20;
constexpr std::size_t tagBytes = 12;

std::string padded(std::uint64_t number)
{
    std::string digits = std::to_string(number);
    return digits.insert(0, digitsMax - digits.size(), '0');
}

} // namespace

void Page::add(std::string_view key, std::string_view name, std::size_t index)
{
    std::string place = toLower(key);
    place += separator;
    place += name;
    _places.push_back({std::move(place), index});
}

void Page::add(std::uint64_t key, std::string_view name, std::size_t index)
{
    add(std::string_view(padded(key)), name, index);
}

void Page::add(std::optional<WallTime> key, std::string_view name, std::size_t index)
{
    const auto nanoseconds = key ? key->time_since_epoch().count() : 0;
    add(static_cast<std::uint64_t>(std::max<std::int64_t>(nanoseconds, 0)), name, index);
}

http::Response Page::answer(const Write& write, BootTime now, const std::string* known)
{
    const auto before = [this](const std::string& a, const std::string& b)
    { return _query.descending ? b < a : a < b; };
    std::sort(_places.begin(), _places.end(),
              [&](const Place& a, const Place& b) { return before(a.place, b.place); });
    _total = _places.size();
    auto first = _places.begin();
    if (!_query.after.empty())
        first = std::find_if(first, _places.end(),
                             [&](const Place& one) { return before(_query.after, one.place); });
    _places.erase(_places.begin(), first);
    if (_places.size() > _query.limit)
    {
        _places.resize(_query.limit);
        _next = _places.back().place;
    }
    return taggedAnswer(json(write, now), json(write, std::nullopt), known);
}

std::string Page::json(const Write& write, std::optional<BootTime> now) const
{
    JsonWriter json;
    json.beginObject().key("items").beginArray();
    for (const Place& one : _places)
        write(json, one.index, now);
    json.endArray()
        .field("total", static_cast<std::uint64_t>(_total))
        .field("next", _next)
        .endObject();
    return json.take();
}

http::Response taggedAnswer(std::string json, std::string_view compared, const std::string* known)
{
    const Digest digest = sha256(compared);
    const std::string tag =
        "\"" + toHex(std::span<const std::uint8_t>(digest).first(tagBytes)) + "\"";
    http::Response response = http::jsonResponse(std::move(json));
    if (known != nullptr && known->find(tag) != std::string::npos)
    {
        response = http::Response();
        response.status = 304;
    }
    response.headers.set("etag", "W/" + tag);
    response.headers.set("cache-control", "no-cache");
    return response;
}

JsonWriter& optionalField(JsonWriter& json, std::string_view key, const std::string& text)
{
    return json.field(key, text.empty() ? std::nullopt : std::optional<std::string>(text));
}

JsonWriter& optionalField(JsonWriter& json, std::string_view key, std::optional<WallTime> time)
{
    return optionalField(json, key, time ? toRfc3339(*time) : std::string());
}

JsonWriter& remainingField(JsonWriter& json, BootTime deadline, std::optional<BootTime> now)
{
    if (!now)
        return json.null("ttl_remaining_ms");
    return json.field("ttl_remaining_ms", wholeMilliseconds(deadline - *now));
}

} // namespace octostore::admin_api
