// SPDX-License-Identifier: MIT
#include "Retreat.h"

#include <utility>

namespace octostore::program
{

Retreat::Retreat(const Parts& parts, const Acquisition& acquisition, BootTime now)
    : _parts(parts), _until(now + parts.shutdownTimeout)
{
    const auto attempt = acquisition.attempt();
    if (attempt && (acquisition.attemptWaits() || _parts.session != nullptr))
        _parts.calls.cancel(*attempt); // the server sees the end of the connection
    if (_parts.session != nullptr)
    {
        if (_parts.session->isOpen())
            start(Step::EndingSession, _parts.session->ending());
        else
            _done = true;
    }
    else if (attempt && !acquisition.attemptWaits())
        _call = attempt;
    else if (acquisition.maybeGranted())
        start(Step::Looking, _parts.claim.status());
    else
        _done = true;
}

void Retreat::advance(BootTime now)
{
    if (now >= _until)
        _done = true;
}

bool Retreat::handle(const Completion& completion)
{
    if (_call != completion.id)
        return false;
    _call.reset();
    _done = true;
    if (_step == Step::Looking && _parts.claim.maybeOurs(completion.outcome))
        start(Step::Recovering, _parts.claim.attempt(std::chrono::seconds(0)));
    else if (_step == Step::Attempting || _step == Step::Recovering)
    {
        const AttemptVerdict verdict = _parts.claim.readAttempt(completion.outcome);
        if (std::holds_alternative<Granted>(verdict))
            start(Step::GivingBack, _parts.claim.release());
    }
    return true;
}

void Retreat::start(Step step, client::HttpRequest request)
{
    _step = step;
    _call = _parts.calls.start(std::move(request), _parts.shutdownTimeout);
    _done = false;
}

} // namespace octostore::program
