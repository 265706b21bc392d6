// SPDX-License-Identifier: MIT
#include "ApiServer.h"

#include "CoordinationApiPlugin.h"
#include "ManualExecutor.h"
#include "SeenAnswers.h"

#include <octostore/plugin/Plugin.h>

#include <gtest/gtest.h>

#include <map>
#include <utility>

namespace octostore::test
{

namespace
{

/// The keys the plugin asks for.
class Settings final : public config::View
{
public:
    explicit Settings(bool elections) : _elections(elections) {}

    bool boolean(std::string_view key) const override
    {
        EXPECT_EQ(key, "elections.public");
        return _elections;
    }
    std::string text(std::string_view) const override { return {}; }
    std::uint64_t integer(std::string_view) const override { return 0; }
    Milliseconds duration(std::string_view) const override { return {}; }
    std::uint64_t bytes(std::string_view) const override { return 0; }
    std::vector<std::string> list(std::string_view) const override { return {}; }
    bool isSet(std::string_view) const override { return false; }

private:
    const bool _elections;
};

class Accounts final : public http::AuthProvider
{
public:
    void add(std::string_view token, const std::string& name, const std::string& space,
             http::Role role)
    {
        const Digest digest = sha256(token);
        _identities[digest] = {http::principalIdOf(name), name, role, space, digest};
    }
    std::optional<http::Identity> authenticate(const Digest& token) const noexcept override
    {
        const auto found = _identities.find(token);
        if (found == _identities.end())
            return std::nullopt;
        return found->second;
    }

private:
    std::map<Digest, http::Identity> _identities;
};

} // namespace

/// The transport's side of one exchange: what was sent stays here.
class Call::Line final : public http::Channel
{
public:
    Line(std::shared_ptr<ManualExecutor> executor, const bool& losing)
        : _executor(std::move(executor)), _losing(losing)
    {
    }

    void send(http::Response response) noexcept override
    {
        if (_left)
            return;
        EXPECT_FALSE(_response) << "an exchange is answered once";
        _response = std::move(response);
        if (const auto exchange = _exchange.lock())
        {
            note(exchange->request(), *_response);
            exchange->delivered(!_losing);
        }
    }
    std::shared_ptr<http::Stream> openStream(http::Response) noexcept override
    {
        ADD_FAILURE() << "no route under test streams";
        return nullptr;
    }
    std::shared_ptr<Executor> executor() noexcept override { return _executor; }

    void connect(const http::ExchangePtr& exchange) { _exchange = exchange; }
    void leave()
    {
        _left = true;
        if (const auto exchange = _exchange.lock())
            exchange->abandoned();
        _executor->run();
    }
    const std::optional<http::Response>& response() const { return _response; }

private:
    static void note(const http::Request& request, const http::Response& response)
    {
        const std::string* type = response.headers.find("content-type");
        SeenAnswers::ofThisProcess().note({http::methodName(request.method), request.target,
                                           response.status, type == nullptr ? "" : *type,
                                           response.body});
    }

    const std::shared_ptr<ManualExecutor> _executor;
    const bool& _losing;
    std::weak_ptr<http::Exchange> _exchange;
    std::optional<http::Response> _response;
    bool _left = false;
};

bool Call::answered() const
{
    return _line->response().has_value();
}

const http::Response& Call::response() const
{
    OCTOSTORE_ASSERT(answered());
    return *_line->response();
}

JsonValue::Object Call::json() const
{
    auto object = readJson(body());
    EXPECT_TRUE(object) << body();
    return object ? *object : JsonValue::Object();
}

void Call::leave()
{
    _line->leave();
}

class ApiServer::State
{
public:
    explicit State(const Options& options)
        : settings(options.elections),
          coordinator(clock, options.limits),
          context{Logger(), settings, clock, random, &coordinator, nullptr}
    {
        accounts.add(alice, "alice", "", http::Role::User);
        accounts.add(bob, "bob", "", http::Role::User);
        accounts.add(carol, "carol", "team", http::Role::User);
        accounts.add(root, "root", "team", http::Role::Admin);

        EXPECT_TRUE(plugin.configure(context));
        EXPECT_TRUE(plugin.start(registry));
        http::Router::Setup setup;
        for (http::RouteProvider* provider : registry.all<http::RouteProvider>())
            setup.routes = provider->routes();
        setup.authProviders = {&accounts};
        auto opened = http::Router::open(std::move(setup), Logger(), clock);
        EXPECT_TRUE(opened);
        router = *std::move(opened);
    }

    FakeClock clock;
    FakeRandom random;
    Settings settings;
    Accounts accounts;
    SyncCoordinator coordinator;
    plugin::Context context;
    coordination_api::CoordinationApiPlugin plugin;
    plugin::ExtensionRegistry registry;
    std::unique_ptr<http::Router> router;
    std::shared_ptr<ManualExecutor> executor = std::make_shared<ManualExecutor>();
    bool losing = false;
};

ApiServer::ApiServer(const Options& options) : _state(std::make_unique<State>(options)) {}

ApiServer::~ApiServer() = default;

Call ApiServer::ask(const Ask& ask)
{
    http::Request request;
    request.method = ask.method;
    request.target = ask.target;
    if (!ask.authorization.empty())
        request.headers.add("Authorization", ask.authorization);
    else if (!ask.token.empty())
        request.headers.add("Authorization", "Bearer " + ask.token);
    if (ask.body && !ask.contentType.empty())
        request.headers.add("Content-Type", ask.contentType);
    request.body = ask.body.value_or("");
    request.peer = "192.0.2.1";
    request.arrived = _state->clock.bootTime();

    const auto line = std::make_shared<Call::Line>(_state->executor, _state->losing);
    const auto exchange = std::make_shared<http::Exchange>(std::move(request),
                                                           RequestId{_state->random.uuid()}, line);
    line->connect(exchange);
    _state->router->dispatch(exchange);
    _state->executor->run();
    return Call(line);
}

Call ApiServer::get(std::string target, std::string_view token)
{
    return ask({http::Method::Get, std::move(target), std::string(token), std::nullopt});
}

Call ApiServer::post(std::string target, std::string body, std::string_view token)
{
    return ask({http::Method::Post, std::move(target), std::string(token), std::move(body)});
}

void ApiServer::loseAnswers()
{
    _state->losing = true;
}

void ApiServer::reload(bool elections)
{
    EXPECT_TRUE(_state->plugin.reload(Settings(elections)));
}

void ApiServer::advance(BootClock::duration duration)
{
    _state->clock.advance(duration);
    _state->coordinator.run();
    _state->executor->run();
}

FakeClock& ApiServer::clock()
{
    return _state->clock;
}

SyncCoordinator& ApiServer::coordinator()
{
    return _state->coordinator;
}

} // namespace octostore::test
