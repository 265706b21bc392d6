// SPDX-License-Identifier: MIT
#include "StormClients.h"

namespace octostore::bench
{

namespace
{

constexpr std::chrono::seconds ttl{300};

} // namespace

StormRenewer::StormRenewer(Storm& storm, std::size_t number)
    : _storm(storm), _name("bench-" + storm.run + "-renew-" + std::to_string(number))
{
}

std::optional<Operation> StormRenewer::next(Phase phase, std::string& out)
{
    _renewing = false;
    _asked = Storm::Clock::now();
    if (phase == Phase::Prepare)
    {
        if (!_credential.empty())
            return std::nullopt;
        _storm.requests->acquire(out, _name, ttl);
        return Operation::Acquire;
    }
    if (_credential.empty())
        return std::nullopt;
    if (phase == Phase::Finish)
    {
        _storm.requests->release(out, _name, _credential);
        return Operation::Release;
    }
    if (_asked >= _storm.to)
        return std::nullopt;
    _renewing = true;
    _storm.requests->renew(out, _name, _credential, ttl);
    return Operation::Renew;
}

Verdict StormRenewer::answered(const Answer& answer)
{
    const auto now = Storm::Clock::now();
    if (_renewing)
    {
        (now < _storm.from ? _storm.before : _storm.during).record(now - _asked);
        return answer.status == 200 ? Verdict::Good : Verdict::Failed;
    }
    // Acquired, or released in the end: either way it is what the answer says.
    _credential = _storm.requests->credentialIn(answer.body);
    return answer.status == 200 ? Verdict::Good : Verdict::Failed;
}

} // namespace octostore::bench
