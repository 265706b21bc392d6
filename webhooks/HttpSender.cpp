// SPDX-License-Identifier: MIT
#include "HttpSender.h"

#include "RetryAfter.h"

#include <Poco/Net/Context.h>
#include <Poco/Net/HTTPClientSession.h>
#include <Poco/Net/HTTPRequest.h>
#include <Poco/Net/HTTPResponse.h>
#include <Poco/Net/NetException.h>
#include <Poco/Net/NetSSL.h>
#include <Poco/Net/SSLException.h>
#include <Poco/Net/SecureStreamSocket.h>
#include <Poco/Net/SocketAddress.h>
#include <Poco/Net/StreamSocket.h>
#include <Poco/Net/X509Certificate.h>

#include <algorithm>
#include <array>
#include <istream>
#include <iterator>
#include <utility>

namespace octostore::webhooks
{

namespace
{

using Poco::Net::HTTPRequest;
using Poco::Net::HTTPResponse;

constexpr std::size_t idleMax = 64;
constexpr std::size_t idleEachMax = 4;
constexpr auto idleFor = std::chrono::seconds(20);
constexpr std::size_t bodyMax = std::size_t{1024} * 1024; // read, so that the connection can stay
constexpr int fieldsMax = 100;
constexpr auto connectGrace = std::chrono::seconds(2);

Poco::Timespan until(Watchdog::Clock::time_point deadline)
{
    const auto left =
        std::chrono::duration_cast<std::chrono::microseconds>(deadline - Watchdog::Clock::now());
    return Poco::Timespan(std::max<std::int64_t>(left.count(), 1000));
}

Poco::Net::Context::Ptr makeTls(const std::string& caBundle)
{
    Poco::Net::Context::Ptr context(
        new Poco::Net::Context(Poco::Net::Context::TLS_CLIENT_USE, "", "", caBundle,
                               Poco::Net::Context::VERIFY_STRICT, 9, true));
    context->enableExtendedCertificateVerification(false); // connect() does it
    context->requireMinimumProtocol(Poco::Net::Context::PROTO_TLSV1_2);
    return context;
}

/// What connections are kept under.
std::string placeOf(const TargetUrl& url)
{
    return (url.secure ? "https://" : "http://") + url.authority();
}

std::string classOf(int status)
{
    return status >= 300 && status < 600 ? "http_" + std::to_string(status / 100) + "xx"
                                         : std::string("protocol");
}

std::optional<Milliseconds> retryAfterOf(const HTTPResponse& response)
{
    const std::string value = response.get("Retry-After", "");
    return value.empty()
               ? std::nullopt
               : parseRetryAfter(value, response.get("Date", ""), std::chrono::system_clock::now());
}

/// What the Poco exception in hand means; call it inside a catch.
void noteFailure(Attempt& attempt, std::string_view otherwise)
{
    attempt.reason = otherwise;
    try
    {
        throw;
    }
    catch (const Poco::TimeoutException&)
    {
        attempt.reason = "timeout";
        attempt.detail = "no answer in time";
    }
    catch (const Poco::Net::SSLException& e)
    {
        attempt.reason = "tls";
        attempt.detail = e.displayText();
    }
    catch (const Poco::Net::MessageException& e) // an answer that is no HTTP
    {
        attempt.reason = "protocol";
        attempt.detail = e.displayText();
    }
    catch (const Poco::SyntaxException& e) // a status that is no number
    {
        attempt.reason = "protocol";
        attempt.detail = e.displayText();
    }
    catch (const Poco::Exception& e)
    {
        attempt.detail = e.displayText();
    }
    catch (const std::exception& e)
    {
        attempt.detail = e.what();
    }
}

} // namespace

/// On a socket that was judged before it was connected; never connects by itself.
class HttpSender::Session final : public Poco::Net::HTTPClientSession
{
public:
    explicit Session(const Poco::Net::StreamSocket& socket) : HTTPClientSession(socket)
    {
        setKeepAlive(true);
    }
    void connect(const Poco::Net::SocketAddress&) override
    {
        throw Poco::Net::ConnectionAbortedException("the connection is over");
    }
    bool mustReconnect() const override { return false; }
    int descriptor() { return socket().impl()->sockfd(); }
    /// Nothing has come behind the answer, as it does behind chunks that are none.
    bool isDrained() const { return buffered() == 0; }

    bool answered = false; ///< something of the answer has come
    bool intact = false;   ///< another request may follow
};

HttpSender::HttpSender(EgressPolicy policy, Resolver& resolver, HttpSenderOptions options)
    : _policy(std::move(policy)), _resolver(resolver), _options(std::move(options))
{
    Poco::Net::initializeSSL();
}

HttpSender::~HttpSender() = default;

void HttpSender::stop() noexcept
{
    _stopped = true;
    _resolver.stop();
    _watchdog.stop();
}

Attempt HttpSender::send(const Outgoing& message) noexcept
{
    const auto began = Watchdog::Clock::now();
    Attempt attempt;
    if (!tryIdle(message, attempt))
    {
        attempt = Attempt();
        Deadline deadline;
        if (auto session = dial(message.url, deadline, attempt))
        {
            exchange(*session, message, deadline, attempt);
            if (session->intact)
                keep(placeOf(message.url), std::move(session));
        }
    }
    if (_stopped && attempt.status == 0)
        attempt.reason = "stopped";
    attempt.took = std::chrono::duration_cast<Milliseconds>(Watchdog::Clock::now() - began);
    return attempt;
}

/// False: there is no connection to reuse, or it ended before anything of an answer came.
bool HttpSender::tryIdle(const Outgoing& message, Attempt& attempt)
{
    auto session = takeIdle(placeOf(message.url));
    if (session == nullptr)
        return false;
    exchange(*session, message, Watchdog::Clock::now() + _options.timeout, attempt);
    if (session->intact)
        keep(placeOf(message.url), std::move(session));
    else if (!session->answered && attempt.status == 0 && attempt.reason != "timeout")
        return false;
    return true;
}

/// `deadline`: when the attempt must be over.
std::unique_ptr<HttpSender::Session> HttpSender::dial(const TargetUrl& url, Deadline& deadline,
                                                      Attempt& attempt)
{
    std::vector<http::IpAddress> addresses;
    if (url.address)
        addresses = {*url.address};
    else if (auto found = _resolver.resolve(url.host))
        addresses = *std::move(found);
    else
    {
        attempt.reason = "dns";
        attempt.detail = found.error().message;
        return nullptr;
    }
    // One bad address refuses all: a name that also leads inside is not to be trusted.
    for (const http::IpAddress& address : addresses)
        if (const auto allowed = _policy.check(address, url.port, url.secure); !allowed)
        {
            attempt.reason = "egress_denied";
            attempt.detail = allowed.error().message;
            return nullptr;
        }
    deadline = Watchdog::Clock::now() + _options.timeout;
    for (const http::IpAddress& address : addresses)
    {
        try
        {
            // Each has its own time, or one that nobody answers at would spoil the next.
            attempt.reason.clear();
            return connect(url, address,
                           std::min(Watchdog::Clock::now() + _options.connectTimeout, deadline));
        }
        catch (...)
        {
            noteFailure(attempt, "connect");
        }
        if (_stopped || Watchdog::Clock::now() >= deadline)
            break;
    }
    return nullptr;
}

std::unique_ptr<HttpSender::Session>
HttpSender::connect(const TargetUrl& url, const http::IpAddress& address, Deadline deadline)
{
    const Poco::Net::SocketAddress target(address.text(), url.port);
    Poco::Net::StreamSocket socket(target.family());
    {
        // It has a time limit of its own; this is for who stops.
        const Watchdog::Guard guard(_watchdog, socket.impl()->sockfd(), deadline + connectGrace);
        if (_stopped)
            throw Poco::Net::ConnectionAbortedException("stopped");
        socket.connect(target, until(deadline));
    }
    socket.setNoDelay(true);
    if (!url.secure)
        return std::make_unique<Session>(socket);
    const Watchdog::Guard guard(_watchdog, socket.impl()->sockfd(), deadline);
    socket.setReceiveTimeout(until(deadline));
    socket.setSendTimeout(until(deadline));
    auto secure =
        Poco::Net::SecureStreamSocket::attach(socket, url.host, makeTls(_options.caBundle));
    // Poco's own check of the name lets everything pass that the resolver calls loopback.
    if (!secure.peerCertificate().verify(url.host))
        throw Poco::Net::CertificateValidationException("its certificate is for another name");
    return std::make_unique<Session>(secure);
}

void HttpSender::exchange(Session& session, const Outgoing& message, Deadline deadline,
                          Attempt& attempt)
{
    session.answered = session.intact = false;
    try
    {
        const Watchdog::Guard guard(_watchdog, session.descriptor(), deadline);
        session.socket().setSendTimeout(until(deadline));
        session.socket().setReceiveTimeout(until(deadline));
        HTTPRequest request(HTTPRequest::HTTP_POST, message.url.path, HTTPRequest::HTTP_1_1);
        request.set("Host", message.url.authority());
        for (const auto& [name, value] : message.headers)
            request.set(name, value);
        request.setContentLength64(static_cast<Poco::Int64>(message.body.size()));
        session.sendRequest(request) << message.body << std::flush;

        HTTPResponse response;
        response.setFieldLimit(fieldsMax);
        std::istream& stream = session.receiveResponse(response);
        // Poco takes a head for whole that ends where the watchdog ended the connection.
        if (_stopped || Watchdog::Clock::now() >= deadline)
            throw Poco::TimeoutException("the head of the answer was not here in time");
        session.answered = true;
        attempt.status = static_cast<int>(response.getStatus());
        attempt.retryAfter = retryAfterOf(response);
        if (attempt.status < 200 || attempt.status > 299)
            attempt.reason = classOf(attempt.status);
        std::size_t total = 0;
        std::array<char, 4096> piece{};
        while (stream.good() && total <= bodyMax)
        {
            stream.read(piece.data(), piece.size());
            const auto got = static_cast<std::size_t>(stream.gcount());
            attempt.response.append(piece.data(),
                                    std::min(got, responseMax - attempt.response.size()));
            total += got;
        }
        // The answer counts with its head; only the connection depends on the rest.
        session.intact = total <= bodyMax && session.networkException() == nullptr &&
                         session.isDrained() && stream.eof() && response.getKeepAlive() &&
                         (response.hasContentLength() || response.getChunkedTransferEncoding() ||
                          attempt.status == HTTPResponse::HTTP_NO_CONTENT);
    }
    catch (...)
    {
        if (attempt.status == 0)
            noteFailure(attempt, "connect");
        if (attempt.status == 0 && Watchdog::Clock::now() >= deadline)
            attempt.reason = "timeout";
    }
}

std::unique_ptr<HttpSender::Session> HttpSender::takeIdle(const std::string& where)
{
    std::vector<std::pair<std::string, Idle>> old; // closing writes, so the mutex is free by then
    MutexLock lock(_mutex);
    const auto now = Watchdog::Clock::now();
    const auto fresh =
        std::find_if(_idle.begin(), _idle.end(),
                     [now](const auto& one) { return one.second.since + idleFor >= now; });
    std::move(_idle.begin(), fresh, std::back_inserter(old));
    _idle.erase(_idle.begin(), fresh);
    const auto found = std::find_if(_idle.rbegin(), _idle.rend(),
                                    [&where](const auto& one) { return one.first == where; });
    if (found == _idle.rend())
        return nullptr;
    auto session = std::move(found->second.session);
    _idle.erase(std::next(found).base());
    return session;
}

void HttpSender::keep(const std::string& where, std::unique_ptr<Session> session)
{
    std::unique_ptr<Session> oldest; // closed when the mutex is free
    MutexLock lock(_mutex);
    const auto same = std::count_if(_idle.begin(), _idle.end(),
                                    [&where](const auto& one) { return one.first == where; });
    if (static_cast<std::size_t>(same) >= idleEachMax)
        return;
    if (_idle.size() >= idleMax)
    {
        oldest = std::move(_idle.front().second.session);
        _idle.erase(_idle.begin());
    }
    _idle.emplace_back(where, Idle{std::move(session), Watchdog::Clock::now()});
}

} // namespace octostore::webhooks
