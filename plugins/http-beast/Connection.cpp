// SPDX-License-Identifier: MIT
#include "Connection.h"

#include "ConnectionChannel.h"

#include <octostore/http/ErrorResponse.h>
#include <octostore/http/Peer.h>

#include <cerrno>
#include <utility>

#include <sys/socket.h>
#include <unistd.h>

namespace octostore::http_beast
{

namespace
{

constexpr Milliseconds lingerTime{1000};

/// Bytes received; 0: none and none will come; -1: none yet.
ssize_t receive(int socket, std::vector<char>& buffer)
{
    const ssize_t count = ::recv(socket, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count >= 0)
        return count;
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? -1 : 0;
}

} // namespace

std::shared_ptr<Connection> Connection::open(IoThread& thread, Service& service, int socket,
                                             bool refuse)
{
    std::shared_ptr<Connection> connection(new Connection(thread, service, refuse));
    error_code failure;
    connection->_socket.assign(socket, failure);
    if (!failure)
    {
        connection->_peer = http::peerAddress(socket);
        return connection;
    }
    ::close(socket);
    connection->close();
    return nullptr;
}

Connection::Connection(IoThread& thread, Service& service, bool refuse)
    : _thread(thread), _service(service), _socket(thread.context()), _refuse(refuse)
{
}

void Connection::begin()
{
    if (_refuse)
    {
        answer(http::errorResponse({ErrorCode::Overloaded, {}}, RequestId{_service.random.uuid()}),
               nullptr);
        return;
    }
    rest({});
}

void Connection::setDeadline(Milliseconds timeout)
{
    _deadline = std::chrono::steady_clock::now() + timeout;
}

void Connection::awaitReadable()
{
    if (std::exchange(_readable, true))
        return;
    _socket.async_wait(asio::posix::stream_descriptor::wait_read,
                       [self = shared_from_this()](const error_code& failure)
                       {
                           const IoExecutor::Work work(*self->_thread.executor());
                           self->_readable = false;
                           if (!failure)
                               self->onReadable();
                       });
}

void Connection::awaitWritable()
{
    if (std::exchange(_writable, true))
        return;
    _socket.async_wait(asio::posix::stream_descriptor::wait_write,
                       [self = shared_from_this()](const error_code& failure)
                       {
                           const IoExecutor::Work work(*self->_thread.executor());
                           self->_writable = false;
                           // What it waited for may have been sent before its turn came.
                           if (!failure && !self->_outgoing.empty())
                               self->flush();
                       });
}

void Connection::onReadable()
{
    switch (_state)
    {
    case State::Reading:
        return readRequest();
    case State::Waiting:
    case State::Streaming:
        return readAhead();
    case State::Lingering:
        return readOut();
    case State::Sending: // looked at when the answer is sent
    case State::Closed:
        return;
    }
}

void Connection::readRequest()
{
    std::vector<char>& scratch = _thread.scratch();
    const ssize_t count = receive(_socket.native_handle(), scratch);
    if (count == 0)
        return close();
    if (count < 0)
        return awaitReadable();
    pump({scratch.data(), static_cast<std::size_t>(count)});
}

/// While an exchange waits: to notice that the client leaves, and for what it sends ahead.
void Connection::readAhead()
{
    std::vector<char>& scratch = _thread.scratch();
    const ssize_t count = receive(_socket.native_handle(), scratch);
    if (count == 0)
        return close();
    if (count > 0)
        _unread.append(scratch.data(), static_cast<std::size_t>(count));
    // The kernel keeps the rest; timeOut() asks it whether the client has left behind that.
    _stalled = _unread.size() >= _service.options.headMax;
    if (!_stalled)
        awaitReadable();
}

/// Closing with unread bytes would destroy the answer on its way: take them until the client
/// closes.
void Connection::readOut()
{
    if (receive(_socket.native_handle(), _thread.scratch()) == 0)
        return close();
    awaitReadable();
}

/// Reads and serves requests while there are bytes and no exchange waits.
void Connection::pump(std::string_view fresh)
{
    _pumping = true;
    while (_state == State::Reading)
    {
        if (!_unread.empty() && !fresh.empty())
            _unread.append(std::exchange(fresh, {}));
        const bool ahead = !_unread.empty();
        const std::string_view bytes = ahead ? std::string_view(_unread) : fresh;
        if (!_reader)
        {
            if (bytes.empty())
                break;
            _reader = std::make_unique<RequestReader>(_service.options);
        }
        const bool began = _reader->started();
        const std::size_t taken = _reader->feed(bytes);
        if (ahead)
            _unread.erase(0, taken);
        else
            fresh.remove_prefix(taken);
        if (!began && _reader->started())
            setDeadline(_service.options.requestTimeout);
        if (!_reader->complete())
            break;
        serve();
    }
    _pumping = false;
    rest(fresh);
}

/// Waits for what comes next.
void Connection::rest(std::string_view fresh)
{
    _unread.append(fresh);
    if (_unread.empty() && _unread.capacity() > sizeof(std::string))
        std::string().swap(_unread);
    switch (_state)
    {
    case State::Reading:
        if (_reader && !_reader->started())
            _reader.reset();
        if (_reader && _reader->takeContinue())
        {
            // A fresh socket takes these few bytes, or is broken, which reading will tell.
            _outgoing.add("HTTP/1.1 100 Continue\r\n\r\n");
            _outgoing.sendTo(_socket.native_handle());
        }
        if (!_reader && _service.draining)
            return linger();
        if (!_reader)
            setDeadline(_service.options.keepAliveTimeout);
        return awaitReadable();
    case State::Waiting:
    case State::Streaming:
        _stalled = _unread.size() >= _service.options.headMax;
        if (!std::exchange(_watched, true))
            http::watchPeer(_socket.native_handle());
        if (!_stalled)
            awaitReadable();
        return;
    case State::Sending:
    case State::Lingering:
    case State::Closed:
        return;
    }
}

void Connection::serve()
{
    http::Request request = _reader->take();
    request.peer = _peer;
    request.arrived = _service.clock.bootTime();
    _headOnly = request.method == http::Method::Head;
    _state = State::Waiting;
    _deadline = SteadyTime::max();

    const auto channel = std::make_shared<ConnectionChannel>(weak_from_this(), _thread.executor());
    const auto exchange = std::make_shared<http::Exchange>(
        std::move(request), RequestId{_service.random.uuid()}, channel);
    channel->serve(exchange);
    _waiting = exchange;
    _service.dispatcher.dispatch(exchange);
}

void Connection::linger()
{
    _reader.reset();
    std::string().swap(_unread);
    _state = State::Lingering;
    setDeadline(lingerTime);
    ::shutdown(_socket.native_handle(), SHUT_WR);
    awaitReadable();
}

void Connection::drain()
{
    if (_state == State::Reading && !_reader)
        close();
}

void Connection::close()
{
    if (std::exchange(_state, State::Closed) == State::Closed)
        return;
    const auto self = shared_from_this();
    error_code ignored;
    _socket.close(ignored);
    _thread.forget(self);
    if (_refuse)
        --_service.refused;
    else
        _service.open.remove();

    _outgoing.clear();
    const http::ExchangePtr unanswered = _waiting.lock();
    const http::ExchangePtr undelivered = std::exchange(_answered, nullptr);
    if (const auto stream = std::exchange(_stream, nullptr))
        stream->end();
    if (unanswered)
        unanswered->abandoned();
    if (undelivered)
        undelivered->delivered(false);
}

bool Connection::isDue(SteadyTime now) const noexcept
{
    return _stalled || now >= _deadline;
}

void Connection::timeOut(SteadyTime now)
{
    if (now < _deadline)
    {
        if ((_state == State::Waiting || _state == State::Streaming) && _stalled &&
            http::peerHasLeft(_socket.native_handle()))
            close();
        return;
    }
    if (_state != State::Reading || !_reader)
        return close();
    _reader->fail({ErrorCode::RequestTimeout, "The request did not arrive whole in time."});
    serve();
    if (_state == State::Waiting)
        rest({});
}

} // namespace octostore::http_beast
