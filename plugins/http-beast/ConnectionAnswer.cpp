// SPDX-License-Identifier: MIT
// What a connection sends: answers, streams, and what comes after them.
#include "Connection.h"

#include <utility>

namespace octostore::http_beast
{

namespace
{

/// A body up to this size is sent with its head from one piece of memory.
constexpr std::size_t joinedBodyMax = 16 * 1024;

} // namespace

void Connection::queueHead(const http::Response& response, http::BodyForm body)
{
    const bool http11 = !_reader || _reader->framing().http11;
    std::string head = http::responseHead(response, {body, http11, _keepAlive, _thread.date()});
    const bool hasBody = !_headOnly && response.status != 204 && response.status != 304 &&
                         body == http::BodyForm::Length;
    if (hasBody && response.body.size() <= joinedBodyMax)
        head.append(response.body);
    _outgoing.add(std::move(head));
    if (hasBody && response.body.size() > joinedBodyMax)
        _outgoing.add(response.body);
}

void Connection::answer(http::Response response, http::ExchangePtr exchange)
{
    if (_state == State::Closed)
    {
        if (exchange)
            exchange->delivered(false);
        return;
    }
    _waiting.reset();
    _answered = std::move(exchange);
    _keepAlive = _reader && _reader->framing().keepAlive && !response.close && !_service.draining;
    queueHead(response, http::BodyForm::Length);
    _state = State::Sending;
    setDeadline(_service.options.writeTimeout);
    flush();
}

std::shared_ptr<http::Stream> Connection::openStream(http::Response head,
                                                     http::ExchangePtr exchange)
{
    const std::weak_ptr<Connection> weak = weak_from_this();
    auto stream =
        std::make_shared<http::StreamQueue>(_thread.executor(), _service.options.streamBufferMax,
                                            [weak]
                                            {
                                                if (const auto self = weak.lock())
                                                    self->flushStream();
                                            });
    if (_state == State::Closed)
    {
        stream->end();
        if (exchange)
            exchange->delivered(false);
        return stream;
    }
    _waiting.reset();
    _answered = std::move(exchange);
    // Who says how long it is ends with the connection: when less came, the client knows.
    _chunked = _reader->framing().http11 && head.headers.find("content-length") == nullptr;
    _keepAlive = _chunked && _reader->framing().keepAlive && !head.close && !_service.draining;
    queueHead(head, _chunked ? http::BodyForm::Chunked : http::BodyForm::UntilClose);
    _state = State::Streaming;
    _stream = stream;
    _last = _headOnly;
    setDeadline(_service.options.writeTimeout);
    flush();
    return stream;
}

void Connection::flushStream()
{
    if (_state != State::Streaming || _last)
        return;
    http::StreamQueue::Taken taken = _stream->take();
    for (auto& chunk : taken.chunks)
        _outgoing.add(std::move(chunk), _chunked);
    if (taken.last && _chunked)
        _outgoing.add("0\r\n\r\n");
    _last = taken.last;
    if (_deadline == SteadyTime::max())
        setDeadline(_service.options.writeTimeout);
    flush();
}

void Connection::flush()
{
    const Outgoing::Sent progress = _outgoing.sendTo(_socket.native_handle());
    if (_stream)
        _stream->sent(progress.chunks);
    switch (progress.outcome)
    {
    case Outgoing::Outcome::Broken:
        return close();
    case Outgoing::Outcome::Blocked:
        if (progress.bytes > 0)
            setDeadline(_service.options.writeTimeout);
        return awaitWritable();
    case Outgoing::Outcome::Done:
        return sent();
    }
}

/// All that was queued is sent.
void Connection::sent()
{
    _deadline = SteadyTime::max();
    if (_state == State::Streaming && !_last)
        return;
    if (_stream)
        std::exchange(_stream, nullptr)->end();
    _last = false;
    if (const http::ExchangePtr exchange = std::exchange(_answered, nullptr))
        exchange->delivered(true);
    if (_keepAlive)
        nextRequest();
    else
        linger();
}

void Connection::nextRequest()
{
    _reader.reset();
    _state = State::Reading;
    // Within pump() the loop goes on by itself.
    if (!_pumping)
        pump({});
}

} // namespace octostore::http_beast
