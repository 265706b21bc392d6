// SPDX-License-Identifier: MIT
#include "InProcessServer.h"

#include "SeenAnswers.h"

#include <octostore/base/Mutex.h>
#include <octostore/base/Text.h>
#include <octostore/http/StreamQueue.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <iterator>
#include <thread>
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
        MutexLock lock(_mutex);
        if (!_closed)
            std::move(tasks.begin(), tasks.end(), std::back_inserter(_tasks));
    }
    void run()
    {
        while (Task task = next())
            task();
    }
    /// Runs what is there and takes no more: a task may hold what holds this executor.
    void close()
    {
        {
            MutexLock lock(_mutex);
            _closed = true;
        }
        run();
    }

private:
    Task next()
    {
        MutexLock lock(_mutex);
        if (_tasks.empty())
            return nullptr;
        Task task = std::move(_tasks.front());
        _tasks.pop_front();
        return task;
    }

    Mutex _mutex; ///< plugins may have threads
    std::deque<Task> _tasks OCTOSTORE_GUARDED_BY(_mutex);
    bool _closed OCTOSTORE_GUARDED_BY(_mutex) = false;
};

/// What is written down of the answers to one request.
struct Asked
{
    std::string method;
    std::string target;
    bool noted; ///< whether the routes are the real ones

    void note(const http::Response& answer) const
    {
        const std::string* type = answer.headers.find("content-type");
        if (noted)
            SeenAnswers::ofThisProcess().note(
                {method, target, answer.status, type == nullptr ? "" : *type, answer.body});
    }
};

} // namespace

/// Keeps the answer.
class InProcessServer::Answer::Line final : public http::Channel
{
public:
    explicit Line(Asked what) : asked(std::move(what)) {}
    void send(http::Response answer) noexcept override
    {
        asked.note(answer);
        response = std::move(answer);
    }
    std::shared_ptr<http::Stream> openStream(http::Response) noexcept override
    {
        ADD_FAILURE() << "no route under test streams";
        return nullptr;
    }
    std::shared_ptr<Executor> executor() noexcept override { return tasks; }

    const std::shared_ptr<QueuedExecutor> tasks = std::make_shared<QueuedExecutor>();
    std::optional<http::Response> response;
    const Asked asked;
};

bool InProcessServer::Answer::hasCome() const
{
    _line->tasks->run();
    return _line->response.has_value();
}

http::Response InProcessServer::Answer::operator()() const
{
    EXPECT_TRUE(hasCome()) << _line->asked.target << " is not answered";
    return _line->response.value_or(http::Response());
}

class OpenStream::Line final : public http::Channel
{
public:
    explicit Line(Asked what) : asked(std::move(what)) {}
    void send(http::Response answer) noexcept override
    {
        // Nobody gets what is sent after the client has gone.
        if (!left)
            asked.note(answer);
        head = std::move(answer);
    }
    std::shared_ptr<http::Stream> openStream(http::Response answer) noexcept override
    {
        constexpr std::size_t bound = 256 * 1024;
        head = std::move(answer);
        queue = std::make_shared<http::StreamQueue>(tasks, bound, [] {});
        return queue;
    }
    std::shared_ptr<Executor> executor() noexcept override { return tasks; }

    const std::shared_ptr<QueuedExecutor> tasks = std::make_shared<QueuedExecutor>();
    std::optional<http::Response> head;
    std::shared_ptr<http::StreamQueue> queue;
    bool left = false;
    bool last = false;
    const Asked asked;
    std::string frames; ///< the beginning of the next one
    std::weak_ptr<http::Exchange> unanswered;
};

OpenStream::~OpenStream()
{
    if (_line)
        leave();
}

const http::Response& OpenStream::head()
{
    static const http::Response none;
    _line->tasks->run();
    EXPECT_TRUE(_line->head) << "not answered";
    return _line->head ? *_line->head : none;
}

std::string OpenStream::read()
{
    std::string text;
    _line->tasks->run();
    if (_line->queue == nullptr || _line->last)
        return text;
    const http::StreamQueue::Taken taken = _line->queue->take();
    for (const auto& chunk : taken.chunks)
        text += *chunk;
    _line->queue->sent(text.size());
    _line->frames += text;
    if (_line->asked.noted)
        SeenAnswers::ofThisProcess().noteFrames(_line->asked.method, _line->asked.target,
                                                _line->frames);
    _line->last = taken.last;
    if (taken.last)
        _line->queue->end();
    _line->tasks->run();
    return text;
}

std::string OpenStream::readUntil(std::string_view text)
{
    std::string all;
    // Much longer than any test: only what never comes is found by it.
    for (int i = 0; i < 6000 && all.find(text) == std::string::npos; ++i)
    {
        const std::string more = read();
        if (more.empty())
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        all += more;
    }
    EXPECT_NE(all.find(text), std::string::npos) << "\"" << text << "\" did not come, but: " << all;
    return all;
}

bool OpenStream::ended()
{
    read();
    return _line->last;
}

void OpenStream::leave()
{
    _line->left = true;
    if (_line->queue)
        _line->queue->end();
    else if (const http::ExchangePtr exchange = _line->unanswered.lock())
        exchange->abandoned();
    _line->tasks->close();
}

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

std::vector<http::Account> FakeAccounts::accounts() const noexcept
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

void InProcessServer::open(std::string_view adminKey)
{
    open(routes(), adminKey);
    _real = true;
}

void InProcessServer::open(std::vector<http::Route> routes, std::string_view adminKey)
{
    http::Router::Setup setup;
    setup.routes = std::move(routes);
    for (const http::AuthProvider* provider : _registry.all<http::AuthProvider>())
        setup.authProviders.push_back(provider);
    if (filters)
        setup.filters = _registry.all<http::Filter>();
    if (!adminKey.empty())
        setup.adminKey = sha256(adminKey);
    auto opened = http::Router::open(std::move(setup), Logger(), _clock);
    ASSERT_TRUE(opened) << opened.error().message;
    _router = *std::move(opened);
}

InProcessServer::Answer InProcessServer::begin(const Question& question)
{
    const auto channel = std::make_shared<Answer::Line>(
        Asked{std::string(http::methodName(question.method)), question.target, _real});
    _router->dispatch(
        std::make_shared<http::Exchange>(requestOf(question), RequestId{_random.uuid()}, channel));
    return Answer(channel);
}

OpenStream InProcessServer::stream(const Question& question)
{
    const auto line = std::make_shared<OpenStream::Line>(
        Asked{std::string(http::methodName(question.method)), question.target, _real});
    const auto exchange =
        std::make_shared<http::Exchange>(requestOf(question), RequestId{_random.uuid()}, line);
    line->unanswered = exchange;
    _router->dispatch(exchange);
    line->tasks->run();
    return OpenStream(line);
}

http::Request InProcessServer::requestOf(const Question& question) const
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
    return request;
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
