// SPDX-License-Identifier: MIT
// Goal: a delivery goes only to a receiver that has proved its name.
// Method: the real sender and a TLS server whose certificate the test trusts or not.
#include "FakeResolver.h"
#include "HttpSender.h"
#include "support/TlsServer.h"

#include <gtest/gtest.h>

namespace octostore::test
{
namespace
{

class HttpsSenderTest : public testing::Test
{
protected:
    HttpsSenderTest()
    {
        for (const char* name : {"good.example", "evil.example", "localhost"})
            resolver.places[name] = {{"127.0.0.1"}};
    }
    webhooks::Attempt send(const std::string& host, const std::string& caBundle)
    {
        webhooks::EgressSettings settings;
        settings.allow = {"127.0.0.1"};
        webhooks::HttpSenderOptions options;
        options.timeout = std::chrono::seconds(30);
        options.connectTimeout = options.timeout;
        options.caBundle = caBundle;
        webhooks::HttpSender sender(*webhooks::EgressPolicy::make(std::move(settings)), resolver,
                                    options);
        const auto url = webhooks::TargetUrl::parse("https://" + host + ":" +
                                                    std::to_string(server.port()) + "/hook");
        return sender.send({*url, {}, "{}"});
    }

    FakeResolver resolver;
    TlsServer server;
};

TEST_F(HttpsSenderTest, TheNameAndTheAddressInATrustedCertificateAreDeliveredTo)
{
    for (const char* host : {"good.example", "127.0.0.1"})
    {
        const auto attempt = send(host, server.certificate());
        EXPECT_EQ(attempt.status, 200) << host << ": " << attempt.detail;
        EXPECT_EQ(attempt.response, "{}");
    }
}

TEST_F(HttpsSenderTest, AnotherNameIsRefusedAlsoWhenItIsLoopback)
{
    for (const char* host : {"evil.example", "localhost"})
    {
        const auto attempt = send(host, server.certificate());
        EXPECT_EQ(attempt.reason, "tls") << host << ": " << attempt.detail;
        EXPECT_EQ(attempt.status, 0);
    }
}

TEST_F(HttpsSenderTest, WhomNobodyTrustsIsRefused)
{
    EXPECT_EQ(send("good.example", "").reason, "tls");
    EXPECT_EQ(send("127.0.0.1", "").reason, "tls");
}

} // namespace
} // namespace octostore::test
