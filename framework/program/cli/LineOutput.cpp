// SPDX-License-Identifier: MIT
#include "LineOutput.h"

#include <algorithm>
#include <cerrno>
#include <climits>

#include <unistd.h>

namespace octostore::program
{

namespace
{

/// A reader so far behind is as good as none.
constexpr std::size_t restMax = std::size_t{1024} * 1024;

} // namespace

void LineOutput::raw(std::string_view text)
{
    if (_descriptor < 0 || _broken)
        return;
    if (_rest.size() + text.size() > restMax)
    {
        _broken = true;
        return;
    }
    _rest += text;
    flush();
}

std::vector<pollfd> LineOutput::wanted() const
{
    if (_rest.empty() || _broken)
        return {};
    return {{_descriptor, POLLOUT, 0}};
}

void LineOutput::flush()
{
    while (!_rest.empty() && !_broken && ready(Milliseconds(0)))
    {
        // A pipe that polls writable takes this much without waiting.
        const ssize_t written =
            ::write(_descriptor, _rest.data(), std::min<std::size_t>(_rest.size(), PIPE_BUF));
        if (written > 0)
            _rest.erase(0, static_cast<std::size_t>(written));
        else if (errno == EAGAIN)
            return;
        else if (errno != EINTR)
        {
            _broken = true;
            _lost = errno != EPIPE;
        }
    }
}

void LineOutput::finish(Milliseconds most)
{
    const auto end = std::chrono::steady_clock::now() + most;
    while (!_rest.empty() && !_broken)
    {
        const auto left =
            std::chrono::duration_cast<Milliseconds>(end - std::chrono::steady_clock::now());
        if (left.count() <= 0 || !ready(left))
            return;
        flush();
    }
}

bool LineOutput::ready(Milliseconds most) const
{
    pollfd one{_descriptor, POLLOUT, 0};
    return ::poll(&one, 1, static_cast<int>(most.count())) > 0;
}

} // namespace octostore::program
