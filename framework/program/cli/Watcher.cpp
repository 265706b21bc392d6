// SPDX-License-Identifier: MIT
#include "Watcher.h"

#include <octostore/client/EventStreamReader.h>

#include <utility>

namespace octostore::program
{

namespace
{

constexpr Milliseconds requestTimeout{10'000};
constexpr Milliseconds watchAgainAfter{500};
constexpr Milliseconds pauseAfterRefusal{30'000};

} // namespace

Watcher::Watcher(std::shared_ptr<client::HttpClient> http, Claim& claim,
                 std::shared_ptr<const WakeSignal> wake)
    : _http(std::move(http)), _claim(claim), _wake(std::move(wake))
{
}

Watcher::~Watcher()
{
    stop();
    if (_thread.joinable())
        _thread.join();
}

void Watcher::start(client::HttpRequest request, std::uint64_t term)
{
    _thread = std::thread([this, request = std::move(request), term] { run(request, term); });
}

void Watcher::stop()
{
    {
        MutexLock lock(_mutex);
        _stopped = true;
        _stopping.notify_all();
    }
    _cancellation.cancel();
}

void Watcher::run(const client::HttpRequest& request, std::uint64_t term)
{
    client::EventStreamReader reader;
    const auto sink = [&](std::string_view bytes)
    {
        const auto events = reader.push(bytes);
        if (!events)
            return false;
        for (const client::StreamEvent& event : *events)
        {
            if (!_claim.contradicts(event.data, term))
                continue;
            _doubt = true;
            _wake->raise();
        }
        return true;
    };
    for (;;)
    {
        const client::HttpOutcome outcome =
            _http->stream(request, requestTimeout, client::streamSilenceMax, sink, _cancellation);
        reader.restart();
        const auto* answer = std::get_if<client::HttpAnswer>(&outcome);
        const bool refused = answer != nullptr && answer->status != 200;
        if (!pause(refused ? pauseAfterRefusal : reader.retry().value_or(watchAgainAfter)))
            return;
    }
}

bool Watcher::pause(Milliseconds duration)
{
    MutexLock lock(_mutex);
    const auto end = std::chrono::steady_clock::now() + duration;
    while (!_stopped && std::chrono::steady_clock::now() < end)
        lock.waitFor(_stopping, end - std::chrono::steady_clock::now());
    return !_stopped;
}

} // namespace octostore::program
