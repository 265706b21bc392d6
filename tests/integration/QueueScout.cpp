// SPDX-License-Identifier: MIT
#include "QueueScout.h"

#include <algorithm>
#include <utility>

namespace octostore::test
{

namespace
{

using namespace std::chrono_literals;

constexpr auto wait = 1s;
/// How long the server keeps the place of a waiter that was told to ask again.
constexpr auto placeKeptFor = 5s;
constexpr int looksMax = 60;

} // namespace

QueueScout::QueueScout(std::uint16_t port, std::string_view token, std::string lock)
    : _client(port, token), _lock(std::move(lock))
{
}

bool QueueScout::sees(std::size_t places)
{
    for (int looks = 0; looks < looksMax; ++looks)
    {
        const std::int64_t own = placesKept(Clock::now() + wait);
        if (look() - own >= static_cast<std::int64_t>(places))
            return true;
    }
    return false;
}

/// The position behind all others. Each look is by another holder (a session), or it would be
/// given the place of the look before.
std::int64_t QueueScout::look()
{
    const auto session = _client.post("/sessions", R"({"ttl_seconds":60})");
    if (!session || session->status != 201)
        return -1;
    const auto told = _client.post("/locks/" + _lock + "/acquire",
                                   R"({"wait_seconds":1,"ephemeral":true,"session_id":")" +
                                       session->text("session_id") + "\"}");
    _looked.push_back(Clock::now());
    return told ? told->number("queue_position") : -1;
}

/// At most so many of the places in front are those of earlier looks.
std::int64_t QueueScout::placesKept(Clock::time_point when) const
{
    return std::count_if(_looked.begin(), _looked.end(),
                         [when](Clock::time_point told) { return told + placeKeptFor >= when; });
}

} // namespace octostore::test
