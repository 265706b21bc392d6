// SPDX-License-Identifier: MIT
#include "RouterFixture.h"

namespace octostore::http
{

class RouterTest : public test::RouterFixture
{
protected:
    RouterTest()
    {
        add(Method::Get, "/ping");
        add(Method::Post, "/json", Access::Public, Body::Json);
        add(Method::Post, "/any");
        add(Method::Get, "/mine", Access::User);
        setup.authProviders = {&tokens};
    }

    void addHandler(const char* pattern, std::function<void(const ExchangePtr&)> handler)
    {
        add(Method::Get, pattern);
        setup.routes.back().handler = std::move(handler);
    }

    Response post(const char* target, const char* type, std::string body)
    {
        std::vector<Header> headers;
        if (type != nullptr)
            headers.push_back({"Content-Type", type});
        return ask(request(Method::Post, target, std::move(headers), std::move(body)));
    }
};

TEST_F(RouterTest, EveryAnswerHasRequestIdAndCorsHeaders)
{
    addHandler("/stream", [](const ExchangePtr& given) { given->respondWithStream(Response{}); });
    addHandler("/nothing",
               [](const ExchangePtr& given)
               {
                   Response response;
                   response.status = 204;
                   given->respond(std::move(response));
               });
    const std::pair<Method, const char*> cases[] = {
        {Method::Get, "/ping"},    {Method::Get, "/unknown"}, {Method::Post, "/ping"},
        {Method::Get, "/stream"},  {Method::Get, "/nothing"}, {Method::Options, "/ping"},
        {Method::Options, "/none"}};
    for (const auto& [method, target] : cases)
    {
        SCOPED_TRACE(target);
        const Response response = ask(request(
            method, target, {{"Origin", "http://localhost:4173"}, {"X-Request-Id", "req_mine"}}));
        EXPECT_EQ(headerOf(response, "x-request-id"), toWire(id));
        EXPECT_EQ(headerOf(response, "access-control-allow-origin"), "http://localhost:4173");
        EXPECT_EQ(headerOf(response, "vary"),
                  "origin, access-control-request-method, access-control-request-headers");
        EXPECT_EQ(headerOf(response, "access-control-expose-headers"),
                  method == Method::Options ? "(none)" : "retry-after,x-request-id");
        EXPECT_EQ(response.headers.find("access-control-allow-credentials"), nullptr);
    }
}

TEST_F(RouterTest, OptionsIsAnsweredOnAnyPath)
{
    for (const char* target : {"/ping", "/mine", "/unknown", "*"})
    {
        const Response response =
            ask(request(Method::Options, target, {{"Origin", "https://evil.example"}}));
        EXPECT_EQ(response.status, 200);
        EXPECT_EQ(response.body, "");
        EXPECT_EQ(headerOf(response, "access-control-allow-methods"), "GET,POST,PUT,DELETE");
        EXPECT_EQ(headerOf(response, "access-control-allow-headers"),
                  "authorization,content-type,x-admin-key,x-octostore-admin-key");
        EXPECT_EQ(headerOf(response, "access-control-max-age"), "600");
        EXPECT_EQ(response.headers.find("access-control-allow-origin"), nullptr);
    }
}

TEST_F(RouterTest, WhatTheTransportCouldNotTakeIsAnsweredFirst)
{
    const std::pair<ErrorCode, int> cases[] = {{ErrorCode::Malformed, 400},
                                               {ErrorCode::UriTooLong, 414},
                                               {ErrorCode::HeadersTooLarge, 431},
                                               {ErrorCode::RequestTimeout, 408}};
    for (const auto& [code, status] : cases)
    {
        Request faulty = request(Method::Options, "/unknown");
        faulty.fault = Error{code, "fault"};
        const Response response = ask(std::move(faulty));
        EXPECT_EQ(response.status, status);
        EXPECT_EQ(headerOf(response, "x-request-id"), toWire(id));
    }
}

TEST_F(RouterTest, ALargeBodyIsRefusedOnEveryRouteThatExists)
{
    const std::pair<const char*, int> cases[] = {{"/any", 413}, {"/json", 413}, {"/unknown", 404}};
    for (const auto& [target, status] : cases)
    {
        Request large = request(Method::Post, target);
        large.fault = Error{ErrorCode::PayloadTooLarge, "Too large."};
        EXPECT_EQ(ask(std::move(large)).status, status) << target;
    }
}

TEST_F(RouterTest, JsonRoutesNeedAJsonContentType)
{
    for (const char* type :
         {"application/json", "APPLICATION/JSON", "application/json; charset=utf-8",
          "application/json;x=y", "application/problem+json", "Application/Vnd.X+JSON ;a=b"})
        EXPECT_EQ(post("/json", type, "{}").status, 200) << type;
    for (const char* type : {"text/plain", "application/jsonx", "application/+json", "", "json",
                             "text/x+json", "application/x-www-form-urlencoded"})
        EXPECT_EQ(post("/json", type, "{}").status, 415) << type;
    EXPECT_EQ(post("/json", nullptr, "{}").status, 415);
    EXPECT_EQ(post("/any", nullptr, "not json").status, 200);
}

TEST_F(RouterTest, BodiesAreOneJsonObject)
{
    const std::pair<const char*, int> cases[] = {
        {R"({"a":1})", 200}, {"", 400},     {"  ", 400}, {"{", 400},
        {"{} x", 400},       {"\xff", 400}, {"[]", 422}, {R"({"a":1,"a":2})", 422}};
    for (const auto& [body, status] : cases)
        EXPECT_EQ(post("/json", "application/json", body).status, status) << body;
}

TEST_F(RouterTest, TheHandlerSeesTheObject)
{
    post("/json", "application/json", R"({"ttl_seconds":60})");
    EXPECT_EQ(*exchange->json().at("ttl_seconds").asInteger(), 60);
}

TEST_F(RouterTest, AHandlerThatThrowsIsAnsweredWith500AndLogged)
{
    addHandler("/throws", [](const ExchangePtr&) { throw std::runtime_error("the wheel is off"); });
    addHandler("/oddly", [](const ExchangePtr&) { throw 42; });
    for (const char* target : {"/throws", "/oddly"})
    {
        log.str("");
        const Response response = ask(request(Method::Get, target));
        EXPECT_EQ(response.status, 500);
        EXPECT_EQ(response.body.find("wheel"), std::string::npos);
        EXPECT_EQ(headerOf(response, "x-request-id"), toWire(id));
        EXPECT_NE(log.str().find(toWire(id)), std::string::npos) << log.str();
    }
}

TEST_F(RouterTest, AHandlerThatThrowsAfterItsAnswerChangesNothing)
{
    addHandler("/late",
               [](const ExchangePtr& given)
               {
                   given->respond(jsonResponse("{}"));
                   throw std::runtime_error("too late");
               });
    EXPECT_EQ(ask(request(Method::Get, "/late")).status, 200);
}

TEST_F(RouterTest, FiltersRunAfterAuthenticationAndBeforeTheBody)
{
    test::FakeFilter first("first");
    test::FakeFilter second("second");
    setup.filters = {&first, &second};

    EXPECT_EQ(ask(request(Method::Get, "/mine")).status, 401);
    EXPECT_EQ(ask(request(Method::Get, "/unknown")).status, 404);
    EXPECT_EQ(first.asked, 0);

    const Response good = ask(request(Method::Get, "/ping"));
    EXPECT_EQ(good.headers.count("x-filter"), 2U);
    EXPECT_EQ(headerOf(good, "x-filter"), "second /ping");

    const Response badBody = post("/json", "text/plain", "x");
    EXPECT_EQ(badBody.status, 415);
    EXPECT_EQ(badBody.headers.count("x-filter"), 2U);
}

TEST_F(RouterTest, AFilterThatRefusesHidesTheRestButNotWhatStoodBefore)
{
    test::FakeFilter first("first");
    test::FakeFilter second("second");
    test::FakeFilter third("third");
    setup.filters = {&first, &second, &third};
    second.refuse = true;

    const Response response = post("/json", "text/plain", "x");
    EXPECT_EQ(response.status, 429);
    EXPECT_EQ(third.asked, 0);
    EXPECT_EQ(response.headers.count("x-filter"), 1U);
    EXPECT_EQ(headerOf(response, "x-filter"), "first /json");
    EXPECT_EQ(served, "");
}

TEST_F(RouterTest, FiltersAreToldOfRequestsThatMatchNoRoute)
{
    add(Method::Get, "/health");
    test::FakeFilter filter("filter");
    setup.filters = {&filter};
    ask(request(Method::Get, "/health"));
    ask(request(Method::Options, "/nowhere"));
    EXPECT_TRUE(filter.strays.empty());
    ask(request(Method::Get, "/nowhere"));
    ask(request(Method::Delete, "/health"));
    http::Request broken = request(Method::Get, "/health");
    broken.fault = Error{ErrorCode::RequestTimeout, "It did not arrive."};
    ask(std::move(broken));
    EXPECT_EQ(filter.strays, (std::vector<int>{404, 405, 408}));
    EXPECT_EQ(filter.asked, 1);
}

TEST_F(RouterTest, OneDebugLineTellsOfTheRequestWithoutSecrets)
{
    add(Method::Get, "/locks/{name...}", Access::User);
    ask(request(Method::Get, "/locks/secret-name?q=hidden",
                {{"authorization", "Bearer alice-token"}}, "body-text"));
    const std::string line = log.str();
    EXPECT_NE(line.find(toWire(id)), std::string::npos) << line;
    EXPECT_NE(line.find("GET"), std::string::npos);
    EXPECT_NE(line.find("/locks/{name...}"), std::string::npos);
    EXPECT_NE(line.find("200"), std::string::npos);
    for (const char* secret : {"alice-token", "hidden", "body-text", "secret-name"})
        EXPECT_EQ(line.find(secret), std::string::npos) << secret;
}

TEST_F(RouterTest, AnAnswerMayComeLater)
{
    ExchangePtr kept;
    addHandler("/later", [&](const ExchangePtr& given) { kept = given; });
    EXPECT_EQ(ask(request(Method::Get, "/ping")).status, 200);
    channel->sent.clear();
    auto later = std::make_shared<Exchange>(request(Method::Get, "/later"), id, channel);
    router->dispatch(later);
    EXPECT_TRUE(channel->sent.empty());
    kept->respond(jsonResponse("{}"));
    ASSERT_EQ(channel->sent.size(), 1U);
    EXPECT_EQ(headerOf(channel->sent[0], "x-request-id"), toWire(id));
}

} // namespace octostore::http
