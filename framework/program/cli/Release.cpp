// SPDX-License-Identifier: MIT
#include "Release.h"

#include <algorithm>

namespace octostore::program
{

namespace
{

Milliseconds left(BootTime until, BootTime now)
{
    return Milliseconds(
        std::max<std::int64_t>(std::chrono::duration_cast<Milliseconds>(until - now).count(), 1));
}

} // namespace

Release::Release(const Parts& parts, BootTime now)
    : _parts(parts), _until(now + parts.shutdownTimeout)
{
    advance(now);
}

void Release::advance(BootTime now)
{
    if (_done)
        return;
    if (now >= _until)
    {
        _done = true;
        return;
    }
    if (_release || _session || now < _retryAt || _confirmed || _refused)
        return;
    // A try that is not answered leaves time for another one.
    const Milliseconds most = std::max(left(_until, now) / 2, Milliseconds(100));
    _release = _parts.calls.start(_parts.claim.release(), most);
}

bool Release::handle(const Completion& completion, BootTime now)
{
    if (_session == completion.id)
    {
        // A session that is gone takes its locks with it.
        _confirmed = _confirmed || !_parts.session->readEnding(completion.outcome);
        _done = true;
        return true;
    }
    if (_release != completion.id)
        return false;
    _release.reset();
    const auto failure = _parts.claim.readRelease(completion.outcome);
    if (!failure)
        _confirmed = true;
    else
    {
        _reason = failure->code;
        _refused = client::provesLoss(*failure);
        _retryAt = now + _backoff.next(_parts.random);
    }
    if (!_confirmed && !_refused)
        return true;
    if (_parts.session != nullptr && _parts.session->isOpen())
        _session = _parts.calls.start(_parts.session->ending(), left(_until, now));
    else
        _done = true;
    return true;
}

std::optional<BootTime> Release::next() const
{
    if (_done)
        return std::nullopt;
    return _release || _session ? _until : std::min(_until, _retryAt);
}

} // namespace octostore::program
