// SPDX-License-Identifier: MIT
#include "TlsServer.h"

#include <Poco/Net/Context.h>
#include <Poco/Net/HTTPRequestHandler.h>
#include <Poco/Net/HTTPRequestHandlerFactory.h>
#include <Poco/Net/HTTPServer.h>
#include <Poco/Net/HTTPServerRequest.h>
#include <Poco/Net/HTTPServerResponse.h>
#include <Poco/Net/SecureServerSocket.h>

#include <cstdlib>

namespace octostore::test
{

namespace
{

class Hello : public Poco::Net::HTTPRequestHandler
{
    void handleRequest(Poco::Net::HTTPServerRequest& /*request*/,
                       Poco::Net::HTTPServerResponse& response) override
    {
        response.setContentType("application/json");
        response.sendBuffer("{}", 2);
    }
};

class HelloFactory : public Poco::Net::HTTPRequestHandlerFactory
{
    Poco::Net::HTTPRequestHandler*
    createRequestHandler(const Poco::Net::HTTPServerRequest& /*request*/) override
    {
        return new Hello;
    }
};

Poco::Net::Context::Ptr contextOf(const std::string& key, const std::string& certificate)
{
    const std::string command =
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
        " -subj /CN=good.example -addext subjectAltName=DNS:good.example,IP:127.0.0.1"
        " -keyout " +
        key + " -out " + certificate + " 2>/dev/null";
    OCTOSTORE_ASSERT(std::system(command.c_str()) == 0);
    return {new Poco::Net::Context(Poco::Net::Context::TLS_SERVER_USE, key, certificate, "",
                                   Poco::Net::Context::VERIFY_NONE)};
}

} // namespace

struct TlsServer::Listening
{
    explicit Listening(const Poco::Net::Context::Ptr& context)
        : socket(Poco::Net::SocketAddress("127.0.0.1", 0), 8, context),
          server(new HelloFactory, socket, new Poco::Net::HTTPServerParams)
    {
        server.start();
    }
    ~Listening() { server.stopAll(true); }

    Poco::Net::SecureServerSocket socket;
    Poco::Net::HTTPServer server;
};

TlsServer::TlsServer()
    : _listening(std::make_unique<Listening>(contextOf(_directory.file("key.pem"), certificate())))
{
}

TlsServer::~TlsServer() = default;

std::uint16_t TlsServer::port() const
{
    return _listening->socket.address().port();
}

} // namespace octostore::test
