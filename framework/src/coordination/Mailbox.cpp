// SPDX-License-Identifier: MIT
#include "coordination/Mailbox.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

namespace octostore::coordination
{

Mailbox::Mailbox(std::function<void(Error)> lost)
    : _lost(std::move(lost)),
      _event(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      _timer(timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK))
{
    OCTOSTORE_ASSERT(_event >= 0 && _timer >= 0);
}

Mailbox::~Mailbox()
{
    ::close(_event);
    ::close(_timer);
}

Ticket Mailbox::submit(Request request, std::shared_ptr<Executor> executor,
                       Coordinator::Continuation done) noexcept
{
    const Ticket ticket(++_lastTicket);
    const std::size_t most = priorityOf(request) == Priority::Keep
                                 ? requestsMax
                                 : requestsMax - requestsReservedForKeeping;
    ErrorCode refusal = ErrorCode::Overloaded;
    if (_open.fetch_add(1) < most)
    {
        MutexLock lock(_mutex);
        if (!_refusing)
        {
            _content.letters.push_back(
                {ticket, std::move(request), std::move(executor), std::move(done)});
            if (!std::exchange(_awake, true))
                wake();
            return ticket;
        }
        refusal = ErrorCode::Draining;
    }
    _open.fetch_sub(1);
    std::vector<Task> tasks;
    tasks.push_back(
        [done = std::move(done), refusal]
        {
            done(Refused{{refusal, refusal == ErrorCode::Draining
                                       ? "The server is stopping; ask again."
                                       : "Too much to do; nothing was changed."},
                         std::nullopt,
                         std::nullopt});
        });
    executor->post(std::move(tasks));
    return ticket;
}

void Mailbox::abandon(Ticket ticket) noexcept
{
    MutexLock lock(_mutex);
    _content.abandoned.push_back(ticket);
    if (!std::exchange(_awake, true))
        wake();
}

void Mailbox::drain() noexcept
{
    MutexLock lock(_mutex);
    _content.drain = true;
    if (!std::exchange(_awake, true))
        wake();
}

void Mailbox::setLimits(Limits limits) noexcept
{
    MutexLock lock(_mutex);
    _content.limits = std::move(limits);
    if (!std::exchange(_awake, true))
        wake();
}

void Mailbox::refuseRequests() noexcept
{
    MutexLock lock(_mutex);
    _refusing = true;
}

void Mailbox::close() noexcept
{
    MutexLock lock(_mutex);
    _content.closed = true;
    if (!std::exchange(_awake, true))
        wake();
}

void Mailbox::wait(BootTime deadline) noexcept
{
    if (deadline != BootTime::min() && deadline != _armed)
    {
        // An absolute time of 0 would disarm the timer; the past is as good as any.
        const auto ns = deadline == BootTime::max()
                            ? 0
                            : std::max<std::int64_t>(1, deadline.time_since_epoch().count());
        itimerspec spec{};
        spec.it_value.tv_sec = ns / 1'000'000'000;
        spec.it_value.tv_nsec = ns % 1'000'000'000;
        OCTOSTORE_ASSERT(timerfd_settime(_timer, TFD_TIMER_ABSTIME, &spec, nullptr) == 0);
        _armed = deadline;
    }
    pollfd files[2] = {{_event, POLLIN, 0}, {_timer, POLLIN, 0}};
    const int ready = poll(files, 2, deadline == BootTime::min() ? 0 : -1);
    if (ready <= 0)
        return;
    std::uint64_t count = 0;
    if ((files[1].revents & POLLIN) != 0 && read(_timer, &count, sizeof count) > 0)
        _armed = BootTime::max() - BootClock::duration(1); // fired: arm again
}

Mailbox::Content Mailbox::take()
{
    MutexLock lock(_mutex);
    if (std::exchange(_awake, false))
    {
        std::uint64_t count = 0;
        (void)!read(_event, &count, sizeof count);
    }
    Content content = std::exchange(_content, {});
    _content.closed = content.closed;
    return content;
}

void Mailbox::outcomes(std::vector<backend::Outcome> batch) noexcept
{
    MutexLock lock(_mutex);
    if (_content.outcomes.empty())
        _content.outcomes = std::move(batch);
    else
        std::move(batch.begin(), batch.end(), std::back_inserter(_content.outcomes));
    if (!std::exchange(_awake, true))
        wake();
}

void Mailbox::changes(std::vector<backend::Record> batch, Revision upTo) noexcept
{
    MutexLock lock(_mutex);
    _content.changes.push_back({std::move(batch), upTo});
    if (!std::exchange(_awake, true))
        wake();
}

void Mailbox::events(std::vector<event::Event> read) noexcept
{
    MutexLock lock(_mutex);
    std::move(read.begin(), read.end(), std::back_inserter(_content.events));
    if (!std::exchange(_awake, true))
        wake();
}

void Mailbox::records(backend::ReadId, Result<std::vector<backend::Record>>) noexcept {}

void Mailbox::caughtUp(backend::ReadId request, Result<Revision> upTo) noexcept
{
    MutexLock lock(_mutex);
    _content.caughtUp.emplace_back(request, std::move(upTo));
    if (!std::exchange(_awake, true))
        wake();
}

void Mailbox::lost(Error reason) noexcept
{
    if (!_wasLost.exchange(true) && _lost)
        _lost(std::move(reason));
}

void Mailbox::wake() noexcept
{
    const std::uint64_t one = 1;
    (void)!write(_event, &one, sizeof one);
}

} // namespace octostore::coordination
