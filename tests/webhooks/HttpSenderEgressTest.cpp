// SPDX-License-Identifier: MIT
// Goal: nothing is dialled but what was judged.
// Method: the real sender and real sockets; names are looked up in the test.
#include "HttpSenderFixture.h"

#include <gtest/gtest.h>

namespace octostore::test
{
namespace
{

using namespace std::chrono_literals;
using webhooks::Attempt;
using webhooks::HttpSender;

using HttpSenderEgressTest = HttpSenderFixture;

TEST_F(HttpSenderEgressTest, EveryWayToWriteAnAllowedAddressLeadsThere)
{
    resolver.places = {{"good.example", {{"127.0.0.1"}}}, {"mapped.example", {{"::ffff:7f00:1"}}}};
    HttpSender sender(allowing({"127.0.0.1"}), resolver, limits(30s));
    for (const char* host :
         {"127.0.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "[::ffff:127.0.0.1]",
          "good.example", "GOOD.example", "mapped.example"})
    {
        const Attempt attempt = sender.send(messageTo(url(host)));
        EXPECT_EQ(attempt.status, 200) << host << ": " << attempt.reason << " " << attempt.detail;
    }
    EXPECT_EQ(server.requests().size(), 9U);
}

/// Hosts of URLs that lead inside, and what a name leads to.
const std::vector<std::pair<const char*, FakeResolver::Addresses>>& hostile()
{
    static const std::vector<std::pair<const char*, FakeResolver::Addresses>> all = {
        // as they are written
        {"127.0.0.1", {}},
        {"127.0.0.2", {}},
        {"0.0.0.0", {}},
        {"10.0.0.1", {}},
        {"100.64.0.1", {}},
        {"169.254.169.254", {}},
        {"172.16.0.1", {}},
        {"192.0.0.1", {}},
        {"192.168.0.1", {}},
        {"198.18.0.1", {}},
        {"224.0.0.1", {}},
        {"255.255.255.255", {}},
        {"[::1]", {}},
        {"[::]", {}},
        {"[fe80::1]", {}},
        {"[fd00:ec2::254]", {}},
        {"[ff02::1]", {}},
        // in disguise
        {"127.1", {}},
        {"2130706433", {}},
        {"0x7f000001", {}},
        {"0x7f.0.0.1", {}},
        {"0177.0.0.1", {}},
        {"017700000001", {}},
        {"[::ffff:127.0.0.1]", {}},
        {"[::ffff:a9fe:a9fe]", {}},
        {"[::7f00:1]", {}},
        {"[64:ff9b::7f00:1]", {}},
        {"[64:ff9b:1::a9fe:a9fe]", {}},
        {"[2002:7f00:1::1]", {}},
        {"[2001:0:a00:1::80ff:fffe]", {}},
        {"[fec0::1]", {}},
        // by name
        {"localhost", {"127.0.0.1", "::1"}},
        {"private.example", {"10.1.2.3"}},
        {"metadata.example", {"169.254.169.254"}},
        {"mapped.example", {"::ffff:192.168.0.1"}},
        {"nat64.example", {"64:ff9b::a00:1"}},
        {"6to4.example", {"2002:a00:1::1"}},
        {"teredo.example", {"2001:0:a00:1::f5ff:fffe"}},
        {"unique-local.example", {"fd12:3456::1"}},
        {"127.0.0.1.", {"127.0.0.1"}},
        {"one-of-two.example", {"93.184.216.34", "127.0.0.1"}},
        {"two-of-two.example", {"127.0.0.1", "93.184.216.34"}},
    };
    return all;
}

TEST_F(HttpSenderEgressTest, NoWayToWriteOrNameAnAddressInsideLeadsThere)
{
    HttpSender sender(allowing({}), resolver, limits(30s));
    for (const auto& [host, leadsTo] : hostile())
        for (const char* scheme : {"https://", "http://"})
        {
            if (!leadsTo.empty())
                resolver.places[host] = {leadsTo};
            const std::string target =
                scheme + std::string(host) + ":" + std::to_string(server.port()) + "/hook";
            const auto parsed = webhooks::TargetUrl::parse(target);
            ASSERT_TRUE(parsed) << target;
            EXPECT_EQ(parsed->address.has_value(), leadsTo.empty()) << target;
            EXPECT_EQ(sender.send(messageTo(target)).reason, "egress_denied") << target;
        }
    EXPECT_TRUE(server.requests().empty());
    for (const char* text : {"https://127.0.0.1@good.example/", "https://good.example:x@127.0.0.1/",
                             "https://good.example\\@127.0.0.1/", "https://[fe80::1%25eth0]/",
                             "https://[127.0.0.1]/", "https://good.example#@127.0.0.1:80\t/",
                             "https://127.0.0.1\r\nHost: a/", "https://\xef\xbc\x91.example/"})
        EXPECT_FALSE(webhooks::TargetUrl::parse(text)) << text;
}

TEST_F(HttpSenderEgressTest, ABroadRuleDoesNotAllowWhatOnlyAnExactOneMay)
{
    resolver.places["metadata.example"] = {{"169.254.169.254"}};
    HttpSender sender(allowing({"0.0.0.0/0", "::/0"}), resolver, limits(30s));
    for (const char* host :
         {"169.254.169.254", "metadata.example", "[fe80::1]", "2852039166",
          "[::ffff:169.254.169.254]", "[64:ff9b::a9fe:a9fe]", "[2002:a9fe:a9fe::1]"})
        EXPECT_EQ(sender.send(messageTo(url(host))).reason, "egress_denied") << host;
    EXPECT_EQ(sender.send(messageTo(url("127.0.0.1"))).status, 200);
}

TEST_F(HttpSenderEgressTest, OfANameThatChangesBetweenLookUpsOnlyTheJudgedAddressIsDialled)
{
    resolver.places["rebinding.example"] = {{"127.0.0.1"}, {"127.0.0.2"}};
    HttpSender sender(allowing({"127.0.0.1"}), resolver, limits(30s));
    ScriptedReply last = jsonReply("{}");
    last.close = true;
    answer(last);
    // Whoever looked it up a second time to dial would be led to 127.0.0.2, where nobody is.
    EXPECT_EQ(sender.send(messageTo(url("rebinding.example"))).status, 200);
    EXPECT_EQ(resolver.asked, 1) << "judged and dialled from one answer";
    EXPECT_EQ(server.requests().at(0).headers.at("host"),
              "rebinding.example:" + std::to_string(server.port()));
    // A new connection is a new look-up, and is judged anew.
    EXPECT_EQ(sender.send(messageTo(url("rebinding.example"))).reason, "egress_denied");
    EXPECT_EQ(resolver.asked, 2);
    EXPECT_EQ(server.requests().size(), 1U);
}

} // namespace
} // namespace octostore::test
