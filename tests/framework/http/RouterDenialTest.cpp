// SPDX-License-Identifier: MIT
#include "RouterFixture.h"

namespace octostore::test
{

namespace
{

class DenialFilter final : public http::Filter
{
public:
    std::optional<http::Response> before(http::Exchange&, const http::Route&) noexcept override
    {
        ++passed;
        return std::nullopt;
    }
    void after(http::Exchange&, const http::Route&, http::Response&) noexcept override {}
    std::optional<http::Response> denied(http::Exchange& exchange, const http::Route& route,
                                         const Error& error) noexcept override
    {
        seen.push_back(route.pattern + " " + std::string(http::wireNameOf(error.code)));
        if (!refuse)
            return std::nullopt;
        return http::errorResponse({ErrorCode::RateLimited, "Too many."}, exchange.id());
    }

    bool refuse = false;
    int passed = 0;
    std::vector<std::string> seen;
};

http::Header bearer(std::string_view token)
{
    return {"Authorization", "Bearer " + std::string(token)};
}

} // namespace

class RouterDenialTest : public RouterFixture
{
protected:
    RouterDenialTest()
    {
        add(http::Method::Get, "/locks", http::Access::User);
        add(http::Method::Get, "/metrics", http::Access::Observer);
        add(http::Method::Get, "/health");
        setup.authProviders = {&tokens};
        setup.filters = {&first, &second};
    }

    int statusOf(std::string target, std::vector<http::Header> headers = {})
    {
        return ask(request(http::Method::Get, std::move(target), std::move(headers))).status;
    }

    DenialFilter first;
    DenialFilter second;
};

TEST_F(RouterDenialTest, FiltersLearnWhyACredentialWasRefused)
{
    EXPECT_EQ(statusOf("/locks"), 401);
    EXPECT_EQ(statusOf("/locks", {bearer("guess")}), 401);
    EXPECT_EQ(statusOf("/metrics", {bearer("alice-token")}), 403);
    const std::vector<std::string> all{"/locks authentication_required",
                                       "/locks authentication_failed", "/metrics forbidden"};
    EXPECT_EQ(first.seen, all);
    EXPECT_EQ(second.seen, all);
    EXPECT_EQ(first.passed, 0);
}

TEST_F(RouterDenialTest, TheFirstAnswerOfAFilterTakesThePlaceOfTheRefusal)
{
    first.refuse = true;
    const http::Response response = ask(request(http::Method::Get, "/locks", {bearer("guess")}));
    EXPECT_EQ(response.status, 429);
    EXPECT_NE(headerOf(response, "x-request-id"), "(none)");
    EXPECT_TRUE(second.seen.empty());
}

TEST_F(RouterDenialTest, GoodCredentialsAndPublicRoutesAreNoDenials)
{
    first.refuse = true;
    EXPECT_EQ(statusOf("/locks", {bearer("alice-token")}), 200);
    EXPECT_EQ(statusOf("/health", {bearer("guess")}), 200);
    EXPECT_TRUE(first.seen.empty());
    EXPECT_EQ(first.passed, 2);
}

} // namespace octostore::test
