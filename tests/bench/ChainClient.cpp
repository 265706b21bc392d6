// SPDX-License-Identifier: MIT
#include "ChainClient.h"

#include <ctime>

namespace octostore::bench
{

namespace
{

constexpr unsigned waitSeconds = 60;

/// `2026-08-03T01:02:03.123456789Z`
std::optional<std::chrono::system_clock::time_point> parseTime(std::string_view text)
{
    std::tm parts{};
    const std::string copy(text);
    const char* rest = ::strptime(copy.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
    if (rest == nullptr)
        return std::nullopt;
    const double fraction = *rest == '.' ? std::stod(std::string("0") + rest) : 0;
    return std::chrono::system_clock::from_time_t(::timegm(&parts)) +
           std::chrono::nanoseconds(static_cast<std::int64_t>(fraction * 1e9));
}

} // namespace

std::optional<Operation> ChainClient::next(Phase phase, std::string& out)
{
    _campaigning = _token.empty() || (phase == Phase::Load && !_chain.resign);
    if (!_campaigning)
    {
        if (phase == Phase::Load)
            _chain.end = std::chrono::system_clock::now();
        _chain.requests->release(out, _chain.room, _token);
        return Operation::Release;
    }
    if (phase != Phase::Load)
        return std::nullopt;
    _token.clear();
    _chain.requests->acquire(out, _chain.room, _chain.ttl, waitSeconds);
    return Operation::Acquire;
}

Verdict ChainClient::answered(const Answer& answer)
{
    if (_campaigning)
        return answer.status == 200 ? granted(answer.body) : Verdict::Failed;
    _token.clear();
    // Cleaning up may come too late for a lease that ran out.
    return answer.status == 200 || !_chain.resign ? Verdict::Good : Verdict::Failed;
}

Verdict ChainClient::granted(std::string_view body)
{
    _token = _chain.requests->credentialIn(body);
    if (_token.empty())
        return Verdict::Busy;
    const auto now = std::chrono::system_clock::now();
    if (_chain.end)
        _chain.gaps->record(now - *_chain.end);
    _chain.end.reset();
    if (!_chain.resign)
        _chain.end = parseTime(textIn(body, "\"expires_at\":\""));
    return Verdict::Good;
}

} // namespace octostore::bench
