// SPDX-License-Identifier: MIT
#include "LeaseClients.h"

#include <utility>

namespace octostore::bench
{

namespace
{

constexpr int ok = 200;
constexpr int conflict = 409;

} // namespace

std::string leaseName(const LeaseSettings& settings, std::size_t number)
{
    return "bench-" + settings.run + "-" + std::to_string(number);
}

Operation LeaseOfClient::acquire(std::string& out, const std::string& name)
{
    _name = name;
    _settings.requests->acquire(out, _name, _settings.ttl);
    return _asked = Operation::Acquire;
}

Operation LeaseOfClient::renew(std::string& out)
{
    _settings.requests->renew(out, _name, _credential, _settings.ttl);
    return _asked = Operation::Renew;
}

Operation LeaseOfClient::release(std::string& out)
{
    _settings.requests->release(out, _name, _credential);
    return _asked = Operation::Release;
}

Operation LeaseOfClient::status(std::string& out)
{
    _settings.requests->status(out, _name);
    return _asked = Operation::Status;
}

Verdict LeaseOfClient::answered(const Answer& answer)
{
    switch (_asked)
    {
    case Operation::Acquire:
        _credential = _settings.requests->credentialIn(answer.body);
        if (answer.status == ok && held())
            return Verdict::Good;
        // Held by somebody else, or cooling: an answer, but no lease.
        return answer.status == ok || (answer.status == conflict &&
                                       answer.body.find("\"delayed\"") != std::string_view::npos)
                   ? Verdict::Busy
                   : Verdict::Failed;
    case Operation::Release:
        // Whatever came of it, there is nothing left to release.
        _credential.clear();
        break;
    case Operation::Renew:
    case Operation::Status:
    case Operation::Other:
        break;
    }
    return answer.status == ok ? Verdict::Good : Verdict::Failed;
}

PairClient::PairClient(LeaseSettings settings)
    : _settings(std::move(settings)), _lease(_settings), _number(_settings.first)
{
}

std::optional<Operation> PairClient::next(Phase phase, std::string& out)
{
    if (_lease.held())
        return _lease.release(out);
    if (phase != Phase::Load)
        return std::nullopt;
    const std::string name = leaseName(_settings, _number % _settings.names);
    _number += _settings.stride;
    return _lease.acquire(out, name);
}

AcquireClient::AcquireClient(LeaseSettings settings)
    : _settings(std::move(settings)), _lease(_settings), _number(_settings.first)
{
}

std::optional<Operation> AcquireClient::next(Phase phase, std::string& out)
{
    if (phase != Phase::Load)
        return std::nullopt;
    const std::string name = leaseName(_settings, _number);
    _number += _settings.stride;
    return _lease.acquire(out, name);
}

HoldingClient::HoldingClient(LeaseSettings settings, Pattern pattern)
    : _settings(std::move(settings)),
      _pattern(std::move(pattern)),
      _own(_settings),
      _other(_settings),
      _number(_settings.first),
      _step(_settings.first)
{
}

const std::string& HoldingClient::nextName()
{
    _name = leaseName(_settings, _number);
    _number += _settings.stride;
    if (_number >= _settings.names)
        // The first name of each client is the one it holds.
        _number = _settings.first + _settings.stride;
    return _name;
}

std::optional<Operation> HoldingClient::next(Phase phase, std::string& out)
{
    _otherAsked = _other.held();
    if (_otherAsked)
        return _other.release(out);
    switch (phase)
    {
    case Phase::Prepare:
        return _own.held() ? std::nullopt : std::optional(_own.acquire(out, nextName()));
    case Phase::Load:
        return load(out);
    case Phase::Finish:
        return _own.held() ? std::optional(_own.release(out)) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<Operation> HoldingClient::load(std::string& out)
{
    switch (_pattern[_step++ % _pattern.size()])
    {
    case Operation::Renew:
        return _own.renew(out);
    case Operation::Status:
        return _own.status(out);
    default:
        _otherAsked = true;
        return _other.acquire(out, nextName());
    }
}

Verdict HoldingClient::answered(const Answer& answer)
{
    return _otherAsked ? _other.answered(answer) : _own.answered(answer);
}

} // namespace octostore::bench
