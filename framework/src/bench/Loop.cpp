// SPDX-License-Identifier: MIT
#include "Loop.h"

#include <octostore/base/ErrnoText.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <sys/epoll.h>
#include <sys/timerfd.h>

namespace octostore::bench
{

namespace
{

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t timerTag = UINT32_MAX;
constexpr std::uint32_t stopTag = UINT32_MAX - 1;
/// The backlog of a listening socket is bounded: more at once would only be retried.
constexpr std::size_t connectingMax = 256;
constexpr std::size_t refusedMax = 100;
constexpr std::chrono::seconds patience{60};
constexpr std::size_t excerpt = 200;

void watch(int epoll, int descriptor, std::uint32_t tag)
{
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u32 = tag;
    ::epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

/// A wrong credential stays wrong; a server that had many of them says so with 429.
bool isDenied(const Answer& answer)
{
    constexpr int unauthorized = 401, tooMany = 429;
    return answer.status == unauthorized ||
           (answer.status == tooMany &&
            answer.body.find(R"("reason":"wrong_credentials")") != std::string_view::npos);
}

Error denial(const std::string& answer)
{
    return {ErrorCode::AuthenticationFailed, "the credential is not taken: " + answer};
}

std::string describe(const Answer& answer)
{
    if (answer.status == 0)
        return "the connection broke";
    return std::to_string(answer.status) + " " + std::string(answer.body.substr(0, excerpt));
}

} // namespace

Loop::Loop(const LoadOptions& options, const Address& address,
           const std::vector<std::unique_ptr<Client>>& clients)
    : _options(options),
      _address(address),
      _epoll(::epoll_create1(EPOLL_CLOEXEC)),
      _timer(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)),
      _lanes(clients.size())
{
    for (std::size_t i = 0; i < clients.size(); ++i)
        _lanes[i].client = clients[i].get();
    watch(_epoll.get(), _timer.get(), timerTag);
    if (_options.stopDescriptor >= 0)
        watch(_epoll.get(), _options.stopDescriptor, stopTag);
    if (_options.rate > 0)
        _interval = Duration(static_cast<std::int64_t>(1e9 / _options.rate));
}

Result<LoadResult> Loop::run()
{
    if (auto connected = connectAll(); !connected)
        return connected.error();
    if (auto prepared = runPhase(Phase::Prepare, Clock::now() + patience); !prepared)
        return prepared.error();
    if (!_result.stopped)
        load();
    if (!_denied.empty())
        return denial(_denied);
    static_cast<void>(runPhase(Phase::Finish, Clock::now() + _options.cleanUp));
    return std::move(_result);
}

Result<void> Loop::connectAll()
{
    const Instant end = Clock::now() + patience;
    std::size_t begun = 0;
    std::size_t done = 0;
    while (done < _lanes.size() && !_result.stopped)
    {
        for (; begun < _lanes.size() && begun < done + connectingMax; ++begun)
        {
            ++_unconnected;
            if (!_lanes[begun].connection.open(_address, _epoll.get(),
                                               static_cast<std::uint32_t>(begun)))
                return Error{ErrorCode::Unavailable,
                             std::string("cannot connect: ") + errnoText(errno)};
        }
        turn(end);
        done = begun - _unconnected;
        if (_refusedInARow > 0 || Clock::now() >= end)
            return Error{ErrorCode::Unavailable, "nobody listens at " + _options.host + " port " +
                                                     std::to_string(_options.port)};
    }
    return {};
}

/// Everybody is asked until nobody has anything more to ask.
Result<void> Loop::runPhase(Phase phase, Instant end)
{
    _phase = phase;
    _asking = true;
    _free.clear();
    for (Lane& lane : _lanes)
        lane.finished = false;
    for (Lane& lane : _lanes)
    {
        if (!lane.asked && lane.connection.connected())
            ask(lane, Clock::now());
    }
    while (!idle() && Clock::now() < end && _refusedInARow < refusedMax && _denied.empty() &&
           (phase == Phase::Finish || !_result.stopped))
        turn(end);
    if (phase == Phase::Prepare && !_denied.empty())
        return denial(_denied);
    if (!_prepareFailure.empty())
        return Error{ErrorCode::Unavailable, "cannot prepare the load: " + _prepareFailure};
    if (phase == Phase::Prepare && !idle() && !_result.stopped)
        return Error{ErrorCode::Unavailable, "the server did not answer in time"};
    return {};
}

void Loop::load()
{
    _phase = Phase::Load;
    for (Lane& lane : _lanes)
        lane.finished = false;
    const Instant start = Clock::now();
    _measureFrom = start + _options.warmUp;
    _measureTo = _measureFrom + _options.duration;
    _nextReport = start + std::chrono::seconds(1);
    _due = start;
    for (std::size_t i = 0; i < _lanes.size(); ++i)
        free(_lanes[i]);
    while (Clock::now() < _measureTo && !_result.stopped && _refusedInARow < refusedMax &&
           _denied.empty() && !allFinished())
    {
        askWhatIsDue();
        if (allFinished())
            break; // found only when they were asked: nothing is left to wait for
        turn(_measureTo);
        report();
    }
    _asking = false;
    _result.measured = std::max(Duration(0), std::min(Clock::now(), _measureTo) - _measureFrom);
    const Instant late = Clock::now() - std::chrono::seconds(1);
    _result.unanswered = static_cast<std::uint64_t>(
        std::count_if(_lanes.begin(), _lanes.end(),
                      [&](const Lane& lane) { return lane.asked && lane.since < late; }));
}

bool Loop::allFinished() const noexcept
{
    return !_options.stay && idle() &&
           std::all_of(_lanes.begin(), _lanes.end(),
                       [](const Lane& lane) { return lane.finished; });
}

/// A lane without a request in flight: asked at once, or when its turn comes.
void Loop::free(Lane& lane)
{
    if (!_asking || lane.finished || !lane.connection.connected())
        return;
    if (_phase == Phase::Load && _interval > Duration(0))
        _free.push_back(static_cast<std::uint32_t>(&lane - _lanes.data()));
    else
        ask(lane, Clock::now());
}

void Loop::askWhatIsDue()
{
    if (_interval == Duration(0))
        return;
    for (const Instant now = Clock::now(); _due <= now && !_free.empty(); _due += _interval)
    {
        Lane& lane = _lanes[_free.front()];
        _free.pop_front();
        ask(lane, _due);
    }
}

void Loop::ask(Lane& lane, Instant due)
{
    lane.asked = lane.client->next(_phase, lane.connection.request());
    if (!lane.asked)
    {
        lane.finished = true;
        return;
    }
    ++_inFlight;
    lane.phase = _phase;
    lane.since = due;
    if (lane.connection.send() == Connection::Event::Broken)
        answered(lane, Answer{});
}

/// Waits for something to happen, but no longer than until the next request is due.
void Loop::turn(Instant until)
{
    const Instant wake = _phase == Phase::Load && !_free.empty() ? std::min(until, _due) : until;
    if (wake != _armed)
        arm(wake);
    std::array<epoll_event, 256> events;
    constexpr int oneSecond = 1000;
    const int count = ::epoll_wait(_epoll.get(), events.data(), events.size(), oneSecond);
    for (int i = 0; i < count; ++i)
    {
        const epoll_event& event = events[static_cast<std::size_t>(i)];
        if (event.data.u32 == stopTag)
        {
            _result.stopped = true;
            // Told once: cleaning up goes on.
            ::epoll_ctl(_epoll.get(), EPOLL_CTL_DEL, _options.stopDescriptor, nullptr);
        }
        else if (event.data.u32 != timerTag)
            handle(_lanes[event.data.u32], event.events);
    }
}

void Loop::arm(Instant wake)
{
    _armed = wake;
    const auto wait = std::max<Duration>(wake - Clock::now(), Duration(1));
    itimerspec timer{};
    timer.it_value.tv_sec = wait.count() / 1'000'000'000;
    timer.it_value.tv_nsec = wait.count() % 1'000'000'000;
    ::timerfd_settime(_timer.get(), 0, &timer, nullptr);
}

void Loop::handle(Lane& lane, std::uint32_t events)
{
    const Connection::Event event = lane.connection.handle(events);
    if (event == Connection::Event::Connected)
    {
        --_unconnected;
        _refusedInARow = 0;
        free(lane);
        return;
    }
    if (event == Connection::Event::Broken)
    {
        if (lane.asked)
            answered(lane, Answer{});
        else
        {
            if (!lane.connection.connected())
            {
                --_unconnected;
                ++_refusedInARow;
            }
            reconnect(lane);
        }
        return;
    }
    if (const std::optional<Answer> answer = lane.connection.take(); answer && lane.asked)
        answered(lane, *answer);
    else if (lane.connection.broken())
        answered(lane, Answer{});
}

void Loop::answered(Lane& lane, const Answer& answer)
{
    const Verdict verdict = lane.client->answered(answer);
    count(lane, answer, verdict);
    if (lane.asked)
        --_inFlight;
    lane.asked.reset();
    if (answer.status == 0 || answer.close)
        reconnect(lane);
    else
        free(lane);
}

void Loop::reconnect(Lane& lane)
{
    lane.connection.close();
    // A path refuses at once, a port later: then this is called again.
    for (; _phase != Phase::Finish && _refusedInARow < refusedMax; ++_refusedInARow)
        if (lane.connection.open(_address, _epoll.get(),
                                 static_cast<std::uint32_t>(&lane - _lanes.data())))
        {
            ++_unconnected;
            return;
        }
}

void Loop::count(const Lane& lane, const Answer& answer, Verdict verdict)
{
    if (isDenied(answer) && _denied.empty())
        _denied = describe(answer);
    if (verdict == Verdict::Failed && lane.phase == Phase::Prepare)
        _prepareFailure = describe(answer);
    const Instant now = Clock::now();
    if (lane.phase != Phase::Load || now < _measureFrom || now > _measureTo)
        return;
    OperationResult& operation =
        _result.operations[static_cast<std::size_t>(lane.asked.value_or(Operation::Other))];
    if (verdict == Verdict::Failed)
    {
        ++operation.failures[answer.status];
        if (_result.firstFailure.empty())
            _result.firstFailure = describe(answer);
        return;
    }
    operation.latency.record(now - lane.since);
    operation.busy += verdict == Verdict::Busy ? 1 : 0;
}

void Loop::report()
{
    const Instant now = Clock::now();
    if (now < _nextReport || now < _measureFrom || !_options.progress)
        return;
    _nextReport = now + std::chrono::seconds(1);
    _result.measured = now - _measureFrom;
    _options.progress(_result);
}

} // namespace octostore::bench
