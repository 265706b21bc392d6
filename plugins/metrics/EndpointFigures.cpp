// SPDX-License-Identifier: MIT
#include "EndpointFigures.h"

#include <algorithm>

namespace octostore::metrics
{

namespace
{

constexpr int firstError = 400;

} // namespace

std::string_view endpointName(Endpoint endpoint) noexcept
{
    constexpr std::array<std::string_view, endpoints> names = {
        "acquire", "release", "renew", "status", "list", "auth", "election"};
    return names[static_cast<std::size_t>(endpoint)];
}

std::optional<Endpoint> endpointOf(std::string_view pattern) noexcept
{
    if (pattern.starts_with("/elections"))
        return Endpoint::Election;
    if (pattern.starts_with("/auth/"))
        return Endpoint::Auth;
    if (pattern == "/locks")
        return Endpoint::List;
    if (!pattern.starts_with("/locks/"))
        return std::nullopt;
    if (pattern.ends_with("/acquire"))
        return Endpoint::Acquire;
    if (pattern.ends_with("/release"))
        return Endpoint::Release;
    return pattern.ends_with("/renew") ? Endpoint::Renew : Endpoint::Status;
}

void EndpointFigures::count(int status, std::chrono::nanoseconds duration) noexcept
{
    const auto whole = static_cast<std::uint64_t>(std::max<std::int64_t>(
        0, std::chrono::duration_cast<std::chrono::milliseconds>(duration).count()));
    _count.add();
    if (status >= firstError)
        _errors.add();
    for (std::uint64_t least = _least.load(); whole < least;)
        _least.compare_exchange_weak(least, whole);
    for (std::uint64_t most = _most.load(); whole > most;)
        _most.compare_exchange_weak(most, whole);
    _durations.observe(duration);
}

EndpointFigures::Values EndpointFigures::values() const
{
    Values values;
    values.count = _count.value();
    values.errors = _errors.value();
    values.leastMs = values.count == 0 ? 0 : _least.load();
    values.mostMs = _most.load();
    values.durations = _durations.sample();
    // Counted, and its duration not seen yet.
    if (values.leastMs == UINT64_MAX)
        values.leastMs = 0;
    return values;
}

} // namespace octostore::metrics
