// SPDX-License-Identifier: MIT
#include "Dial.h"

#include "Timespan.h"

#include <octostore/base/Assert.h>
#include <octostore/base/ErrnoText.h>

#include <Poco/Delegate.h>
#include <Poco/Net/DNS.h>
#include <Poco/Net/HostEntry.h>
#include <Poco/Net/NetException.h>
#include <Poco/Net/NetSSL.h>
#include <Poco/Net/SSLException.h>
#include <Poco/Net/SSLManager.h>
#include <Poco/Net/SecureStreamSocket.h>
#include <Poco/Net/SocketAddress.h>
#include <Poco/Net/VerificationErrorArgs.h>
#include <Poco/Net/X509Certificate.h>

#include <exception>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace octostore::client
{

namespace
{

using Poco::Net::IPAddress;
using Poco::Net::StreamSocket;

/// Why the last handshake of this thread was refused: the exception does not say.
thread_local std::string certificateProblem;

void noteProblem(const void* /*sender*/, Poco::Net::VerificationErrorArgs& problem)
{
    certificateProblem = problem.errorMessage();
}

std::vector<IPAddress> resolve(const ServerUrl& url)
{
    IPAddress literal;
    if (IPAddress::tryParse(url.host(), literal))
        return {literal};
    std::vector<IPAddress> result;
    const Poco::Net::HostEntry host =
        Poco::Net::DNS::hostByName(url.host(), Poco::Net::DNS::DNS_HINT_NONE);
    for (const IPAddress& address : host.addresses())
        // What calls itself localhost must be it: the rules for loopback have been applied.
        if (!url.isLoopback() || address.isLoopback())
            result.push_back(address);
    if (result.empty())
        throw Poco::Net::NoAddressFoundException(url.host());
    return result;
}

StreamSocket connectTo(const IPAddress& address, std::uint16_t port, Milliseconds timeout,
                       Cancellation& cancellation)
{
    StreamSocket socket(address.family());
    const Cancellation::Guard guard(cancellation, socket.impl()->sockfd());
    socket.connect(Poco::Net::SocketAddress(address, port), timespanOf(timeout));
    socket.setNoDelay(true);
    return socket;
}

StreamSocket connectToPath(const std::string& path, Milliseconds timeout,
                           Cancellation& cancellation)
{
    using Poco::Net::SocketAddress;
    StreamSocket socket(SocketAddress::UNIX_LOCAL);
    const Cancellation::Guard guard(cancellation, socket.impl()->sockfd());
    // Poco's own timeout takes a full queue (EAGAIN) for a connection under way; the kernel waits
    // as long as for sending.
    socket.setSendTimeout(timespanOf(timeout));
    try
    {
        socket.connect(SocketAddress(SocketAddress::UNIX_LOCAL, path));
    }
    catch (const Poco::Exception& e)
    {
        // Its text has the path once more.
        throw std::runtime_error(e.code() != 0 ? errnoText(e.code()) : e.displayText());
    }
    return socket;
}

StreamSocket connectToAny(const ServerUrl& url, Milliseconds timeout, Cancellation& cancellation)
{
    if (!url.socketPath().empty())
        return connectToPath(url.socketPath(), timeout, cancellation);
    const std::vector<IPAddress> addresses = resolve(url);
    for (std::size_t i = 0; i + 1 < addresses.size(); ++i)
        try
        {
            return connectTo(addresses[i], url.port(), timeout, cancellation);
        }
        catch (const Poco::Exception&)
        {
            if (cancellation.cancelled())
                throw;
        }
    return connectTo(addresses.back(), url.port(), timeout, cancellation);
}

/// Asks the proxy for a tunnel and reads its answer up to the empty line.
void openTunnel(StreamSocket& socket, const ServerUrl& server)
{
    constexpr std::size_t answerMax = 8192;
    const std::string host =
        server.host().find(':') == std::string::npos ? server.host() : "[" + server.host() + "]";
    const std::string target = host + ":" + std::to_string(server.port());
    const std::string request = "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n\r\n";
    socket.sendBytes(request.data(), static_cast<int>(request.size()));
    std::string answer;
    while (answer.size() < 4 || answer.compare(answer.size() - 4, 4, "\r\n\r\n") != 0)
    {
        char byte = 0;
        if (answer.size() > answerMax || socket.receiveBytes(&byte, 1) <= 0)
            throw Poco::Net::NetException("the proxy ended the connection");
        answer += byte;
    }
    if (answer.compare(0, 5, "HTTP/") != 0 || answer.substr(8, 4) != " 200")
        throw Poco::Net::NetException("the proxy refuses a tunnel: " +
                                      answer.substr(0, answer.find('\r')));
}

/// Poco's own check of the name lets everything pass whose name the resolver calls loopback, and
/// who owns the resolver could use that.
StreamSocket secured(const StreamSocket& socket, const Dialing& dialing)
{
    certificateProblem.clear();
    const std::string& host = dialing.server.host();
    auto secure = Poco::Net::SecureStreamSocket::attach(socket, host, dialing.tls);
    if (!secure.peerCertificate().verify(host))
        throw Poco::Net::CertificateValidationException("its certificate is for another name");
    return secure;
}

} // namespace

StreamSocket dial(const Dialing& dialing, Milliseconds timeout, Cancellation& cancellation)
{
    const Milliseconds connectTimeout = std::min(timeout, dialing.options.connectTimeout);
    StreamSocket socket =
        connectToAny(dialing.proxy ? *dialing.proxy : dialing.server, connectTimeout, cancellation);
    if (!dialing.server.secure())
        return socket;
    const Cancellation::Guard guard(cancellation, socket.impl()->sockfd());
    socket.setReceiveTimeout(timespanOf(connectTimeout));
    socket.setSendTimeout(timespanOf(connectTimeout));
    if (dialing.proxy)
        openTunnel(socket, dialing.server);
    return secured(socket, dialing);
}

Result<Poco::Net::Context::Ptr> makeTls(const std::string& caBundle)
{
    static std::once_flag listening;
    try
    {
        Poco::Net::initializeSSL();
        std::call_once(listening,
                       [] {
                           Poco::Net::SSLManager::instance().ClientVerificationError +=
                               Poco::delegate(&noteProblem);
                       });
        constexpr int chainMax = 9;
        Poco::Net::Context::Ptr context(
            new Poco::Net::Context(Poco::Net::Context::TLS_CLIENT_USE, "", "", caBundle,
                                   Poco::Net::Context::VERIFY_STRICT, chainMax, true));
        context->enableExtendedCertificateVerification(false); // secured() does it
        context->requireMinimumProtocol(Poco::Net::Context::PROTO_TLSV1_2);
        return context;
    }
    catch (const Poco::Exception& e)
    {
        return Error{ErrorCode::Configuration, "the certificates of OCTOSTORE_CA_BUNDLE (" +
                                                   caBundle +
                                                   ") cannot be used: " + e.displayText()};
    }
}

TransportFailure currentFailure(TransportFault otherwise, const std::string& where,
                                const Cancellation& cancellation)
{
    if (cancellation.cancelled())
        return {TransportFault::Cancelled, where + ": the request was given up"};
    try
    {
        throw;
    }
    catch (const Poco::TimeoutException&)
    {
        return {TransportFault::Timeout, where + " did not answer in time"};
    }
    catch (const Poco::Net::HostNotFoundException&)
    {
        return {TransportFault::UnknownHost, "there is no host " + where};
    }
    catch (const Poco::Net::NoAddressFoundException&)
    {
        return {TransportFault::UnknownHost, "there is no address of the host " + where};
    }
    catch (const Poco::Net::SSLException& e)
    {
        const bool refused =
            !certificateProblem.empty() ||
            dynamic_cast<const Poco::Net::CertificateValidationException*>(&e) != nullptr;
        const std::string why = certificateProblem.empty() ? e.displayText() : certificateProblem;
        return {refused ? TransportFault::Certificate : otherwise,
                where + (refused ? " cannot prove who it is: " : ": ") + why};
    }
    catch (const Poco::Exception& e)
    {
        return {otherwise, where + ": " + e.displayText()};
    }
    catch (const std::exception& e)
    {
        return {otherwise, where + ": " + e.what()};
    }
}

} // namespace octostore::client
