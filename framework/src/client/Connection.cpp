// SPDX-License-Identifier: MIT
#include "Connection.h"

#include "Dial.h"
#include "Timespan.h"

#include <octostore/base/Text.h>

#include <Poco/Exception.h>
#include <Poco/Net/HTTPRequest.h>
#include <Poco/Net/HTTPResponse.h>
#include <Poco/Net/NetException.h>

#include <array>
#include <istream>
#include <ostream>

#include <fcntl.h>
#include <unistd.h>

namespace octostore::client
{

namespace
{

using Poco::Net::HTTPRequest;
using Poco::Net::HTTPResponse;

constexpr int headerMax = 100;
constexpr std::size_t pieceMax = 4096;

/// An event stream, or a backup: both are longer than what is read as a whole.
bool isStream(const HTTPResponse& response)
{
    const std::string type = toLower(response.getContentType());
    return response.getStatus() == HTTPResponse::HTTP_OK &&
           (type.starts_with("text/event-stream") || type == "application/vnd.sqlite3");
}

HttpAnswer headOf(const HTTPResponse& response)
{
    HttpAnswer answer;
    answer.status = static_cast<int>(response.getStatus());
    answer.contentType = response.getContentType();
    answer.location = response.get("Location", "");
    answer.sha256 = response.get("X-OctoStore-SHA256", "");
    return answer;
}

} // namespace

Connection::Opened Connection::open(const Dialing& dialing, Milliseconds timeout,
                                    Cancellation& cancellation) noexcept
{
    try
    {
        const Poco::Net::StreamSocket socket = dial(dialing, timeout, cancellation);
        const int duplicate = ::fcntl(socket.impl()->sockfd(), F_DUPFD_CLOEXEC, 0);
        if (duplicate < 0)
            return TransportFailure{TransportFault::Unreachable, "too many open files"};
        return std::unique_ptr<Connection>(new Connection(dialing, socket, duplicate));
    }
    catch (...)
    {
        const ServerUrl& target = dialing.proxy ? *dialing.proxy : dialing.server;
        return currentFailure(TransportFault::Unreachable, target.place(), cancellation);
    }
}

Connection::Connection(const Dialing& dialing, const Poco::Net::StreamSocket& socket, int duplicate)
    : _dialing(dialing), _session(socket), _duplicate(duplicate)
{
    _session.setKeepAlive(true);
}

Connection::~Connection()
{
    ::close(_duplicate);
}

bool Connection::reusable() const
{
    if (!_intact)
        return false;
    try
    {
        // Readable without a request: the server has closed it, or says something unasked.
        auto& session = const_cast<Poco::Net::HTTPClientSession&>(_session);
        return session.connected() &&
               !session.socket().poll(Poco::Timespan(0), Poco::Net::Socket::SELECT_READ);
    }
    catch (const Poco::Exception&)
    {
        return false;
    }
}

HttpOutcome Connection::exchange(const HttpRequest& request, Milliseconds timeout,
                                 Cancellation& cancellation, const Sink* sink,
                                 Milliseconds silence) noexcept
{
    const Cancellation::Guard guard(cancellation, _duplicate);
    _answered = false;
    _intact = false;
    try
    {
        _session.socket().setSendTimeout(timespanOf(timeout));
        _session.socket().setReceiveTimeout(timespanOf(timeout));
        write(request, sink != nullptr);
        HTTPResponse response;
        response.setFieldLimit(headerMax);
        std::istream& stream = _session.receiveResponse(response);
        _answered = true;
        if (sink == nullptr || !isStream(response))
            return readBody(stream, response);
        _session.socket().setReceiveTimeout(timespanOf(silence));
        return handOver(stream, headOf(response), *sink);
    }
    catch (...)
    {
        return currentFailure(TransportFault::Broken, _dialing.server.place(), cancellation);
    }
}

void Connection::write(const HttpRequest& request, bool asStream)
{
    std::string target = _dialing.server.basePath() + request.path;
    if (_dialing.proxy && !_dialing.server.secure())
        target.insert(0, "http://" + _dialing.server.authority());
    HTTPRequest message(request.method, target, HTTPRequest::HTTP_1_1);
    message.set("Host", _dialing.server.authority());
    message.set("User-Agent", _dialing.options.userAgent);
    message.set("Accept", asStream ? "text/event-stream" : "application/json");
    if (!request.bearer.empty())
        message.set("Authorization", "Bearer " + request.bearer);
    if (!request.lastEventId.empty())
        message.set("Last-Event-ID", request.lastEventId);
    if (!request.body.empty())
        message.setContentType("application/json");
    if (request.method != "GET")
        message.setContentLength64(static_cast<Poco::Int64>(request.body.size()));
    std::ostream& stream = _session.sendRequest(message);
    stream << request.body << std::flush;
}

HttpOutcome Connection::readBody(std::istream& stream, const HTTPResponse& response)
{
    HttpAnswer answer = headOf(response);
    std::array<char, pieceMax> piece{};
    while (stream.good())
    {
        stream.read(piece.data(), piece.size());
        answer.body.append(piece.data(), static_cast<std::size_t>(stream.gcount()));
        if (answer.body.size() > HttpClient::answerMax)
            return TransportFailure{TransportFault::TooLarge,
                                    _dialing.server.place() + ": the answer is over 1 MiB"};
    }
    // Streams swallow exceptions; the session remembers.
    if (const Poco::Exception* problem = _session.networkException())
        problem->rethrow();
    if (stream.bad())
        return broken("the answer could not be read");
    if (response.hasContentLength() &&
        response.getContentLength64() != static_cast<Poco::Int64>(answer.body.size()) &&
        response.getStatus() != HTTPResponse::HTTP_NO_CONTENT)
        return broken("the answer is cut off");
    _intact = response.getKeepAlive();
    return answer;
}

HttpOutcome Connection::handOver(std::istream& stream, HttpAnswer answer, const Sink& sink)
{
    std::array<char, pieceMax> piece{};
    while (stream.good())
    {
        // One byte waits for the network, the rest is there already.
        const int first = stream.get();
        if (first == std::istream::traits_type::eof())
            break;
        piece.front() = static_cast<char>(first);
        const std::streamsize more =
            stream.readsome(piece.data() + 1, static_cast<std::streamsize>(piece.size() - 1));
        if (!sink({piece.data(), static_cast<std::size_t>(more + 1)}))
            return answer;
    }
    if (const Poco::Exception* problem = _session.networkException())
        problem->rethrow();
    return answer;
}

TransportFailure Connection::broken(const std::string& why) const
{
    return {TransportFault::Broken, _dialing.server.place() + ": " + why};
}

} // namespace octostore::client
