// SPDX-License-Identifier: MIT
// Goal: a secret goes only to a server that has proved its name.
// Method: a TLS server with a certificate made for the test; a proxy in front of it makes names
// other than loopback lead there.
#include "support/TlsServer.h"

#include <octostore/client/Failure.h>
#include <octostore/client/HttpClient.h>

#include <Poco/Net/ServerSocket.h>
#include <Poco/Net/StreamSocket.h>
#include <gtest/gtest.h>

#include <thread>

namespace octostore::client
{

using namespace std::chrono_literals;

namespace
{

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
    HttpOutcome get(const std::string& url, const HttpClientOptions& options)
    {
        auto client = HttpClient::create(*ServerUrl::parse(url), options);
        if (!client)
            return TransportFailure{TransportFault::Broken, client.error().message};
        Cancellation cancellation;
        return (*client)->send({"GET", "/", "", "", ""}, 60s, cancellation);
    }
    HttpClientOptions trusting() const
    {
        HttpClientOptions options;
        options.caBundle = _server.certificate();
        return options;
    }
    std::string urlOfServer() const
    {
        return "https://127.0.0.1:" + std::to_string(_server.port());
    }

    test::TlsServer _server;
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
    Tunnel tunnel(_server.port());
    HttpClientOptions options = trusting();
    options.environment = {{"HTTPS_PROXY", tunnel.url()}};
    EXPECT_EQ(readFailure(get("https://evil.example", options)).code, "certificate_invalid");
}

TEST_F(HttpsClientTest, TheRightNameThroughAProxyIsTrusted)
{
    Tunnel tunnel(_server.port());
    HttpClientOptions options = trusting();
    options.environment = {{"HTTPS_PROXY", tunnel.url()}};
    const HttpOutcome outcome = get("https://good.example", options);
    EXPECT_TRUE(std::holds_alternative<HttpAnswer>(outcome)) << readFailure(outcome).message;
}

} // namespace octostore::client
