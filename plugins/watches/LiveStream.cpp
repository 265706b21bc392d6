// SPDX-License-Identifier: MIT
#include "LiveStream.h"

#include <algorithm>
#include <utility>

namespace octostore::watches
{

namespace
{

constexpr std::size_t replayedAtOnce = 256;
/// Below this the reader is given more of what it missed.
constexpr std::size_t unsentWhileCatchingUp = LiveStream::unsentMax / 2;
constexpr Milliseconds slowReaderPause{50};

http::Response streamHead()
{
    http::Response head;
    head.headers.add("content-type", "text/event-stream");
    head.headers.add("cache-control", "no-cache");
    head.headers.add("x-accel-buffering", "no");
    return head;
}

} // namespace

LiveStream::LiveStream(const Surroundings& around, http::ExchangePtr exchange, Topic topic,
                       StreamLimits::Place place)
    : _around(around),
      _executor(exchange->executor()),
      _topic(std::move(topic)),
      _exchange(std::move(exchange)),
      _place(std::move(place)),
      _spokenAt(around.clock.bootTime())
{
}

bool LiveStream::listen()
{
    if (const auto done = _around.hub.subscribe(_topic, shared_from_this()); !done)
    {
        http::ErrorDetails details;
        if (done.error().code == ErrorCode::CapacityExceeded)
            details.retryAfterSeconds = 1;
        refuse(done.error(), details);
        return false;
    }
    _credential = _exchange->onRevoked(
        [weak = weak_from_this()]
        {
            if (const auto self = weak.lock())
                self->end(
                    {ErrorCode::AuthenticationFailed, "The credential was revoked or changed."});
        });
    return true;
}

void LiveStream::open()
{
    const http::ExchangePtr exchange = std::exchange(_exchange, nullptr);
    _stream = exchange->respondWithStream(streamHead());
    _stream->onClosed([self = shared_from_this()] { self->closed(); });
}

void LiveStream::refuse(const Error& error, const http::ErrorDetails& details)
{
    const http::ExchangePtr exchange = std::exchange(_exchange, nullptr);
    closed();
    if (exchange)
        exchange->respond(http::errorResponse(error, exchange->id(), details));
}

void LiveStream::follow(Sequence after)
{
    if (ended())
        return;
    _last = after;
    _phase = Phase::CatchingUp;
    catchUp();
}

/// One page a task: others of this thread get their turn.
void LiveStream::catchUp()
{
    if (_phase != Phase::CatchingUp)
        return;
    if (_stream->unsentBytes() > unsentWhileCatchingUp)
        return later(&LiveStream::catchUp, slowReaderPause);
    if (const auto events = _around.journal.recent(_last, replayedAtOnce))
        return take(*events);
    readPage();
}

void LiveStream::readPage()
{
    _around.errands.run(
        [weak = weak_from_this(), executor = _executor, &journal = _around.journal, after = _last]
        {
            Sequence upTo = journal.newest();
            auto events = journal.read(after, replayedAtOnce);
            if (events && events->size() >= replayedAtOnce)
                upTo = events->back()->sequence;
            // Looked at behind the reading: what was cut off meanwhile was not read.
            auto page = std::make_shared<const Page>(
                Page{std::move(events), upTo, journal.trimmed() > after});
            executor->post({[weak, page]
                            {
                                if (const auto self = weak.lock())
                                    self->took(*page);
                            }});
        });
}

/// False: the rest must wait. A page may be more than a reader can be behind, however fast it
/// reads.
bool LiveStream::sendMissed(const std::vector<event::EventPtr>& events)
{
    for (const event::EventPtr& event : events)
    {
        if (_stream->unsentBytes() > unsentWhileCatchingUp)
            return false;
        if (event->sequence <= _last)
            continue;
        sendAll(framesOf(*event));
        if (ended())
            return false;
        _last = event->sequence;
    }
    return true;
}

void LiveStream::took(const Page& page)
{
    if (_phase != Phase::CatchingUp)
        return;
    if (!page.events)
        return end(page.events.error());
    if (page.cut)
        return startAgain();
    if (sendMissed(*page.events))
        _last = std::max(_last, page.upTo);
    catchUp();
}

void LiveStream::take(const std::vector<event::EventPtr>& events)
{
    if (events.empty())
    {
        _phase = Phase::Live;
        return;
    }
    sendMissed(events);
    if (_phase == Phase::CatchingUp)
        later(&LiveStream::catchUp, Milliseconds(0));
}

void LiveStream::later(void (LiveStream::*step)(), Milliseconds delay)
{
    Task task = [weak = weak_from_this(), step]
    {
        if (const auto self = weak.lock())
            (self.get()->*step)();
    };
    if (delay == Milliseconds(0))
        return _executor->post({std::move(task)});
    _around.errands.run([executor = _executor, task = std::move(task)] { executor->post({task}); },
                        delay);
}

void LiveStream::deliver(const Delivery& delivery) noexcept
{
    if (_phase != Phase::Live)
        return;
    if (delivery.event && delivery.event->sequence <= _last)
        return;
    if (wants(delivery))
        sendAll(delivery.frames);
    if (delivery.event)
        _last = delivery.event->sequence;
}

void LiveStream::sendAll(const std::vector<Frame>& frames)
{
    for (const Frame& frame : frames)
    {
        if (!send(frame))
            return;
        _around.figures.sent.add();
    }
}

bool LiveStream::send(const Frame& frame)
{
    if (ended())
        return false;
    if (_stream->unsentBytes() + frame->size() > unsentMax || !_stream->write(frame))
    {
        _around.figures.lagged.add();
        _stream->write(laggedFrame());
        finish();
        return false;
    }
    _spokenAt = _around.clock.bootTime();
    return true;
}

void LiveStream::tick() noexcept
{
    if (ended() || !_stream)
        return;
    const BootTime now = _around.clock.bootTime();
    if (_endsAt && now >= *_endsAt)
        return end(
            {ErrorCode::RateLimited, "The stream has lasted as long as it may; connect again."});
    // Who has not even read the last frame needs no sign of life.
    if (now - _spokenAt >= silenceMax && _stream->unsentBytes() == 0)
        send(commentFrame(keepAlive()));
}

void LiveStream::end(const Error& why) noexcept
{
    if (ended())
        return;
    if (_exchange)
        return refuse(why);
    _stream->write(commentFrame(why.message));
    finish();
}

void LiveStream::finish()
{
    _phase = Phase::Ended;
    _around.hub.unsubscribe(_topic, *this);
    _stream->close();
}

/// The last that happens: nobody is served any more.
void LiveStream::closed()
{
    const auto self = shared_from_this();
    _phase = Phase::Ended;
    _around.hub.unsubscribe(_topic, *this);
    _credential.reset();
    _place.reset();
}

} // namespace octostore::watches
