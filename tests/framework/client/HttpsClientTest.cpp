// SPDX-License-Identifier: MIT
// Goal: a secret goes only to a server that has proved its name.
// Method: a TLS server with a certificate made for the test; a proxy in front of it makes names
// other than loopback lead there.
#include <octostore/client/Failure.h>
#include <octostore/client/HttpClient.h>

#include <Poco/Net/Context.h>
#include <Poco/Net/HTTPRequestHandler.h>
#include <Poco/Net/HTTPRequestHandlerFactory.h>
#include <Poco/Net/HTTPServer.h>
#include <Poco/Net/HTTPServerRequest.h>
#include <Poco/Net/HTTPServerResponse.h>
#include <Poco/Net/SecureServerSocket.h>
#include <Poco/Net/ServerSocket.h>
#include <Poco/Net/StreamSocket.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <thread>

namespace octostore::client
{

using namespace std::chrono_literals;

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

/// Answers one CONNECT and then carries bytes to the port, whatever name was asked for.
class Tunnel
{
public:
    explicit Tunnel(std::uint16_t target)
        : _listener(Poco::Net::SocketAddress("127.0.0.1", 0)),
          _thread([this, target] { run(target); })
    {
    }
    ~Tunnel() { _thread.join(); }
    std::string url() const { return "http://" + _listener.address().toString(); }

private:
    void run(std::uint16_t target)
    {
        Poco::Net::StreamSocket inner = _listener.acceptConnection();
        std::string request;
        char byte = 0;
        while (request.find("\r\n\r\n") == std::string::npos && inner.receiveBytes(&byte, 1) == 1)
            request += byte;
        const std::string granted = "HTTP/1.1 200 Granted\r\n\r\n";
        inner.sendBytes(granted.data(), static_cast<int>(granted.size()));
        Poco::Net::StreamSocket outer(Poco::Net::SocketAddress("127.0.0.1", target));
        std::thread back([&] { carry(outer, inner); });
        carry(inner, outer);
        back.join();
    }
    static void carry(Poco::Net::StreamSocket& from, Poco::Net::StreamSocket& to)
    {
        try
        {
            char piece[4096];
            for (int got = 0; (got = from.receiveBytes(piece, sizeof piece)) > 0;)
                to.sendBytes(piece, got);
            to.shutdownSend();
        }
        catch (const Poco::Exception&)
        {
            // The other side has ended: that is what the test looks at.
        }
    }

    Poco::Net::ServerSocket _listener;
    std::thread _thread;
};

} // namespace

class HttpsClientTest : public testing::Test
{
protected:
    void SetUp() override
    {
        std::string name = (std::filesystem::temp_directory_path() / "octostore-XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        _directory = name;
        const std::string command =
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
            " -subj /CN=good.example -addext subjectAltName=DNS:good.example,IP:127.0.0.1"
            " -keyout " +
            key() + " -out " + certificate() + " 2>/dev/null";
        ASSERT_EQ(std::system(command.c_str()), 0) << "the openssl program is needed";
        Poco::Net::Context::Ptr context(new Poco::Net::Context(Poco::Net::Context::TLS_SERVER_USE,
                                                               key(), certificate(), "",
                                                               Poco::Net::Context::VERIFY_NONE));
        _socket = std::make_unique<Poco::Net::SecureServerSocket>(
            Poco::Net::SocketAddress("127.0.0.1", 0), 8, context);
        _server = std::make_unique<Poco::Net::HTTPServer>(new HelloFactory, *_socket,
                                                          new Poco::Net::HTTPServerParams);
        _server->start();
    }
    void TearDown() override
    {
        if (_server)
            _server->stopAll(true);
        std::filesystem::remove_all(_directory);
    }

    std::string key() const { return (_directory / "key.pem").string(); }
    std::string certificate() const { return (_directory / "certificate.pem").string(); }
    std::uint16_t port() const { return _socket->address().port(); }

    HttpOutcome get(const std::string& url, const HttpClientOptions& options)
    {
        auto client = HttpClient::create(*ServerUrl::parse(url), options);
        if (!client)
            return TransportFailure{TransportFault::Broken, client.error().message};
        Cancellation cancellation;
        return (*client)->send({"GET", "/", "", "", ""}, 10s, cancellation);
    }
    HttpClientOptions trusting() const
    {
        HttpClientOptions options;
        options.caBundle = certificate();
        return options;
    }
    std::string urlOfServer() const { return "https://127.0.0.1:" + std::to_string(port()); }

    std::filesystem::path _directory;
    std::unique_ptr<Poco::Net::SecureServerSocket> _socket;
    std::unique_ptr<Poco::Net::HTTPServer> _server;
};

TEST_F(HttpsClientTest, AServerWithACertificateOfTheBundleIsTrusted)
{
    const HttpOutcome outcome = get(urlOfServer(), trusting());
    ASSERT_TRUE(std::holds_alternative<HttpAnswer>(outcome)) << readFailure(outcome).message;
    EXPECT_EQ(std::get<HttpAnswer>(outcome).body, "{}");
}

TEST_F(HttpsClientTest, AnUnknownRootIsRefusedAndTheReasonSaid)
{
    const Failure failure = readFailure(get(urlOfServer(), {}));
    EXPECT_EQ(failure.code, "certificate_invalid");
    EXPECT_NE(failure.message.find("self"), std::string::npos) << failure.message;
}

TEST_F(HttpsClientTest, AnotherNameIsRefused)
{
    Tunnel tunnel(port());
    HttpClientOptions options = trusting();
    options.environment = {{"HTTPS_PROXY", tunnel.url()}};
    EXPECT_EQ(readFailure(get("https://evil.example", options)).code, "certificate_invalid");
}

TEST_F(HttpsClientTest, TheRightNameThroughAProxyIsTrusted)
{
    Tunnel tunnel(port());
    HttpClientOptions options = trusting();
    options.environment = {{"HTTPS_PROXY", tunnel.url()}};
    const HttpOutcome outcome = get("https://good.example", options);
    EXPECT_TRUE(std::holds_alternative<HttpAnswer>(outcome)) << readFailure(outcome).message;
}

} // namespace octostore::client
