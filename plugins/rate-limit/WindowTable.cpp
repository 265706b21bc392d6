// SPDX-License-Identifier: MIT
#include "WindowTable.h"

#include <algorithm>

namespace octostore::rate_limit
{

namespace
{

constexpr std::chrono::seconds forgiven{1};

} // namespace

Standing WindowTable::admit(const http::IpAddress& client, std::uint32_t budget, BootTime now)
{
    MutexLock lock(_mutex);
    Window& window = current(client, budget, now);
    if (window.used >= budget)
    {
        Standing refused = standing(window, budget, now);
        refused.admitted = false;
        // At least 1: with less left the window would have been over.
        refused.secondsLeft = static_cast<unsigned>(
            std::chrono::floor<std::chrono::seconds>(window.start + length - now).count());
        return refused;
    }
    ++window.used;
    return standing(window, budget, now);
}

void WindowTable::refund(const http::IpAddress& client)
{
    MutexLock lock(_mutex);
    const auto found = _byClient.find(client.bytes());
    Window& window = found == _byClient.end() ? _shared : *found->second;
    if (window.used > 0)
        --window.used;
}

Standing WindowTable::look(const http::IpAddress& client, std::uint32_t budget, BootTime now) const
{
    MutexLock lock(_mutex);
    const auto found = _byClient.find(client.bytes());
    const Window& window = found == _byClient.end() ? _shared : *found->second;
    if (isOver(window, budget, now))
        return {true, budget, static_cast<unsigned>(length.count())};
    return standing(window, budget, now);
}

std::size_t WindowTable::clients() const
{
    MutexLock lock(_mutex);
    return _windows.size();
}

bool WindowTable::isOver(const Window& window, std::uint32_t budget, BootTime now) noexcept
{
    const auto left = window.start + length - now;
    return left <= left.zero() || (window.used >= budget && left < forgiven);
}

Standing WindowTable::standing(const Window& window, std::uint32_t budget, BootTime now) noexcept
{
    // Two threads may have read the clock in the other order.
    const auto left = std::min<BootClock::duration>(window.start + length - now, length);
    Standing standing;
    standing.remaining = budget - std::min(window.used, budget);
    standing.secondsLeft =
        static_cast<unsigned>(std::chrono::ceil<std::chrono::seconds>(left).count());
    return standing;
}

WindowTable::Window& WindowTable::current(const http::IpAddress& client, std::uint32_t budget,
                                          BootTime now)
{
    const auto found = _byClient.find(client.bytes());
    if (found != _byClient.end())
    {
        Window& window = *found->second;
        if (isOver(window, budget, now))
        {
            window.start = now;
            window.used = 0;
            _windows.splice(_windows.end(), _windows, found->second);
        }
        return window;
    }
    dropLapsed(now);
    if (_windows.size() < _clientsMax)
    {
        _windows.push_back({client.bytes(), now});
        _byClient.emplace(client.bytes(), std::prev(_windows.end()));
        return _windows.back();
    }
    if (isOver(_shared, budget, now))
        _shared = {{}, now};
    return _shared;
}

/// The list is in order of the starts, so this looks at no window twice.
void WindowTable::dropLapsed(BootTime now)
{
    while (!_windows.empty() && _windows.front().start + length <= now)
    {
        _byClient.erase(_windows.front().client);
        _windows.pop_front();
    }
}

} // namespace octostore::rate_limit
