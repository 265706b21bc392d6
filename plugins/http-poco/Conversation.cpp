// SPDX-License-Identifier: MIT
#include "Conversation.h"

#include <octostore/http/Peer.h>

#include <array>
#include <cstdio>
#include <utility>

namespace octostore::http_poco
{

namespace
{

SteadyTime steadyNow()
{
    return std::chrono::steady_clock::now();
}

/// A stream that says how long it is ends with the connection: when less came, the client knows.
bool isChunked(const http::Response& head, const http::Framing& framing)
{
    return framing.http11 && head.headers.find("content-length") == nullptr;
}

void appendChunk(std::string& out, const std::string& data, bool chunked)
{
    if (!chunked)
    {
        out.append(data);
        return;
    }
    std::array<char, 20> size{};
    std::snprintf(size.data(), size.size(), "%zx\r\n", data.size());
    out.append(size.data()).append(data).append("\r\n");
}

} // namespace

Conversation::Conversation(Service& service, int socket, std::shared_ptr<TaskInbox> inbox)
    : _service(service),
      _inbox(std::move(inbox)),
      _line(socket, *_inbox),
      _peer(http::peerAddress(socket))
{
}

void Conversation::run()
{
    while (!_service.cut)
    {
        RequestReader reader(_service.options);
        if (!readRequest(reader) || !serve(reader))
            return;
    }
}

/// False: there is no further request.
bool Conversation::readRequest(RequestReader& reader)
{
    SteadyTime deadline = steadyNow() + _service.options.keepAliveTimeout;
    std::array<char, 8192> buffer; // not cleared: it is filled before it is read
    bool began = false;
    while (true)
    {
        _unread.erase(0, reader.feed(_unread));
        if (reader.complete())
            return true;
        if (reader.takeContinue() &&
            !_line.sendAll("HTTP/1.1 100 Continue\r\n\r\n", _service.options.writeTimeout))
            return false;
        if (reader.started() && !std::exchange(began, true))
            deadline = steadyNow() + _service.options.requestTimeout;
        if (_service.cut || (_service.draining && !began))
            return false;

        const Line::Woken woken = _line.wait(Line::For::Reading, deadline);
        if (woken.tasks)
            _inbox->run(); // late tasks of earlier exchanges, or a call to look at `draining`
        if (woken.readable || woken.peerLeft)
        {
            const auto count = _line.receive(buffer.data(), buffer.size());
            if (count && *count == 0)
                return false;
            _unread.assign(buffer.data(), count.value_or(0));
        }
        else if (woken.timedOut)
        {
            if (!began)
                return false;
            reader.fail({ErrorCode::RequestTimeout, "The request did not arrive whole in time."});
        }
    }
}

/// False: the connection is to be closed.
bool Conversation::serve(RequestReader& reader)
{
    http::Request request = reader.take();
    request.peer = _peer;
    request.arrived = _service.clock.bootTime();
    const bool refused = request.fault.has_value();
    const bool head = request.method == http::Method::Head;

    const auto channel =
        std::make_shared<BlockingChannel>(_inbox, _service.options.streamBufferMax);
    auto exchange = std::make_shared<http::Exchange>(std::move(request),
                                                     RequestId{_service.random.uuid()}, channel);
    channel->serve(exchange);
    const std::weak_ptr<http::Exchange> watched = exchange;
    _service.dispatcher.dispatch(exchange);
    exchange.reset(); // whoever answers later keeps it

    const auto answer = awaitAnswer(*channel, watched);
    if (!answer)
        return false;
    const bool untilClose = answer->stream && !isChunked(answer->response, reader.framing());
    const bool keepAlive =
        reader.framing().keepAlive && !answer->response.close && !untilClose && !_service.draining;
    const bool whole = sendAnswer(*answer, reader.framing(), keepAlive, head);
    if (answer->exchange)
        answer->exchange->delivered(whole);
    if (whole && refused)
        _line.linger();
    return whole && keepAlive;
}

/// Nothing: the client or the server has gone.
std::optional<Conversation::Answer>
Conversation::awaitAnswer(BlockingChannel& channel, const std::weak_ptr<http::Exchange>& watched)
{
    if (auto answer = channel.take())
        return answer;
    watchPeer();
    while (true)
    {
        const Line::Woken woken = _line.wait(Line::For::PeerLeaving, std::nullopt);
        if (woken.tasks)
            _inbox->run();
        if (auto answer = channel.take())
            return answer;
        if (woken.peerLeft || _service.cut)
            break;
    }
    if (const http::ExchangePtr exchange = watched.lock())
        exchange->abandoned();
    _line.shutDown(); // whoever only ended its own side is not left waiting
    awaitLateAnswer(watched);
    return std::nullopt;
}

void Conversation::watchPeer()
{
    if (!std::exchange(_watched, true))
        http::watchPeer(_line.socket());
}

/// A handler that answers a client which has left must learn that the answer was not delivered, on
/// this thread.
void Conversation::awaitLateAnswer(const std::weak_ptr<http::Exchange>& watched)
{
    while (!_service.cut)
    {
        {
            const http::ExchangePtr exchange = watched.lock();
            if (!exchange || exchange->answered())
                return;
        }
        _line.wait(Line::For::TasksOnly, std::nullopt);
        _inbox->run();
    }
}

bool Conversation::sendAnswer(const Answer& answer, const http::Framing& framing, bool keepAlive,
                              bool head)
{
    const bool chunked = answer.stream && isChunked(answer.response, framing);
    const http::BodyForm body =
        chunked ? http::BodyForm::Chunked
                : (answer.stream ? http::BodyForm::UntilClose : http::BodyForm::Length);
    std::string bytes = http::responseHead(
        answer.response, {body, framing.http11, keepAlive, _date.at(_service.clock.wallTime())});
    if (!head && !answer.stream && answer.response.status != 204 && answer.response.status != 304)
        bytes.append(answer.response.body);
    bool whole = _line.sendAll(bytes, _service.options.writeTimeout);
    if (!answer.stream)
        return whole;
    whole = whole && (head || sendStream(*answer.stream, chunked));
    answer.stream->end();
    return whole;
}

/// False: the client or the server has gone, or the client reads too slowly.
bool Conversation::sendStream(http::StreamQueue& stream, bool chunked)
{
    watchPeer();
    while (true)
    {
        const http::StreamQueue::Taken taken = stream.take();
        std::string pending;
        std::size_t content = 0;
        for (const auto& chunk : taken.chunks)
        {
            appendChunk(pending, *chunk, chunked);
            content += chunk->size();
        }
        if (taken.last && chunked)
            pending.append("0\r\n\r\n");
        if (!_line.sendAll(pending, _service.options.writeTimeout))
            return false;
        stream.sent(content);
        if (taken.last)
            return true;
        const Line::Woken woken = _line.wait(Line::For::PeerLeaving, std::nullopt);
        if (woken.tasks)
            _inbox->run();
        if (woken.peerLeft || _service.cut)
            return false;
    }
}

} // namespace octostore::http_poco
