// SPDX-License-Identifier: MIT
#include "InProcessServer.h"

#include <octostore/base/Text.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <utility>

namespace octostore::test
{

namespace
{

/// Runs what is posted when it is told to.
class QueuedExecutor final : public Executor
{
public:
    void post(std::vector<Task> tasks) noexcept override
    {
        std::move(tasks.begin(), tasks.end(), std::back_inserter(_tasks));
    }
    void run()
    {
        for (; !_tasks.empty(); _tasks.pop_front())
            _tasks.front()();
    }

private:
    std::deque<Task> _tasks;
};

/// Keeps the answer.
class KeepingChannel final : public http::Channel
{
public:
    void send(http::Response answer) noexcept override { response = std::move(answer); }
    std::shared_ptr<http::Stream> openStream(http::Response) noexcept override
    {
        ADD_FAILURE() << "no route under test streams";
        return nullptr;
    }
    std::shared_ptr<Executor> executor() noexcept override { return tasks; }

    const std::shared_ptr<QueuedExecutor> tasks = std::make_shared<QueuedExecutor>();
    std::optional<http::Response> response;
};

} // namespace

void FakeAccounts::add(std::string_view token, const std::string& name, http::Role role,
                       const std::string& space)
{
    const Digest digest = sha256(token);
    _identities[digest] = {http::principalIdOf(name), name, role, space, digest};
}

std::optional<http::Identity> FakeAccounts::authenticate(const Digest& token) const noexcept
{
    const auto found = _identities.find(token);
    if (found == _identities.end())
        return std::nullopt;
    return found->second;
}

std::vector<http::Account> FakeAccounts::accounts() const
{
    std::vector<http::Account> all;
    for (const auto& [token, identity] : _identities)
        all.push_back({identity.principal, identity.name, "static", identity.role, identity.space,
                       std::nullopt});
    return all;
}

bool FakeAccounts::hasAccount(std::string_view name) const noexcept
{
    return std::any_of(_identities.begin(), _identities.end(),
                       [name](const auto& entry)
                       { return equalIgnoringCase(entry.second.name, name); });
}

InProcessServer::InProcessServer()
    : _coordinator(_clock, {}), _context{Logger(), settings,      _clock,
                                         _random,  &_coordinator, nullptr}
{
    _registry.contribute<http::AuthProvider>("test", accounts);
}

InProcessServer::~InProcessServer() = default;

Result<void> InProcessServer::add(plugin::Plugin& plugin)
{
    if (auto configured = plugin.configure(_context); !configured)
        return configured;
    return plugin.start(_registry);
}

std::vector<http::Route> InProcessServer::routes()
{
    std::vector<http::Route> all;
    for (http::RouteProvider* provider : _registry.all<http::RouteProvider>())
    {
        std::vector<http::Route> routes = provider->routes();
        std::move(routes.begin(), routes.end(), std::back_inserter(all));
    }
    return all;
}

void InProcessServer::open(std::vector<http::Route> routes, std::string_view adminKey)
{
    http::Router::Setup setup;
    setup.routes = std::move(routes);
    for (const http::AuthProvider* provider : _registry.all<http::AuthProvider>())
        setup.authProviders.push_back(provider);
    if (!adminKey.empty())
        setup.adminKey = sha256(adminKey);
    auto opened = http::Router::open(std::move(setup), Logger(), _clock);
    ASSERT_TRUE(opened) << opened.error().message;
    _router = *std::move(opened);
}

InProcessServer::Answer InProcessServer::begin(const Question& question)
{
    http::Request request;
    request.method = question.method;
    request.target = question.target;
    for (const http::Header& header : question.headers)
        request.headers.add(header.name, header.value);
    if (question.body)
        request.headers.add("Content-Type", "application/json");
    request.body = question.body.value_or("");
    request.peer = "192.0.2.1";
    request.arrived = _clock.bootTime();

    const auto channel = std::make_shared<KeepingChannel>();
    _router->dispatch(
        std::make_shared<http::Exchange>(std::move(request), RequestId{_random.uuid()}, channel));
    return [channel, target = question.target]
    {
        channel->tasks->run();
        EXPECT_TRUE(channel->response) << target << " is not answered";
        return channel->response.value_or(http::Response());
    };
}

http::Response InProcessServer::ask(http::Method method, std::string target, std::string_view token,
                                    std::optional<std::string> body)
{
    Question question{method, std::move(target), {}, std::move(body)};
    if (!token.empty())
        question.headers.push_back({"Authorization", "Bearer " + std::string(token)});
    return ask(question);
}

plugin::Context InProcessServer::context()
{
    return _context;
}

JsonValue::Object jsonOf(const http::Response& response)
{
    auto object = readJson(response.body);
    EXPECT_TRUE(object) << response.body;
    return object ? *std::move(object) : JsonValue::Object();
}

} // namespace octostore::test
