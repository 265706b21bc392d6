// SPDX-License-Identifier: MIT
#include "ScriptedDispatcher.h"

#include <octostore/http/ErrorResponse.h>

#include <algorithm>
#include <utility>

namespace octostore::test
{

namespace
{

http::Response textResponse(std::string body)
{
    http::Response response;
    response.headers.add("content-type", "text/plain");
    response.body = std::move(body);
    return response;
}

http::Response answerTo(const http::Request& request)
{
    const std::string path(request.path());
    if (path == "/peer")
        return textResponse(request.peer);
    if (path == "/large")
        return textResponse(std::string(std::stoul(std::string(request.query())), 'x'));
    http::Response response = textResponse(std::string(methodName(request.method)) + " " +
                                           request.target + " " + request.body);
    response.close = path == "/close";
    if (path == "/empty")
    {
        response.status = 204;
        response.body.clear();
    }
    return response;
}

} // namespace

void ScriptedDispatcher::dispatch(const http::ExchangePtr& exchange) noexcept
{
    const auto served = std::make_shared<Served>();
    served->thread = std::this_thread::get_id();
    const std::string path(exchange->request().path());
    if (path != "/forget")
    {
        served->exchange = exchange;
        watch(served);
    }
    note([&]() OCTOSTORE_NO_THREAD_SAFETY_ANALYSIS { _served.push_back(served); });
    if (exchange->request().fault)
    {
        exchange->respond(*exchange->request().fault);
    }
    else if (path == "/stream" || path == "/sized-stream")
    {
        http::Response streamHead = textResponse({});
        if (path == "/sized-stream")
            streamHead.headers.add("content-length", "10");
        auto stream = exchange->respondWithStream(std::move(streamHead));
        stream->onClosed([this, served] { note([&] { served->closed = true; }); });
        note([&] { served->stream = stream; });
    }
    else if (path != "/wait" && path != "/forget")
    {
        exchange->respond(answerTo(exchange->request()));
    }
}

void ScriptedDispatcher::watch(const std::shared_ptr<Served>& served)
{
    // Weak: the exchange keeps these callbacks, and `served` the exchange.
    const std::weak_ptr<Served> weak = served;
    served->exchange->onAbandoned(
        [this, weak]
        {
            if (const auto known = weak.lock())
                note([&] { known->abandoned = true; });
        });
    served->exchange->onDelivered(
        [this, weak](bool whole)
        {
            if (const auto known = weak.lock())
                note([&] { known->delivered = whole; });
        });
}

void ScriptedDispatcher::note(const std::function<void()>& change)
{
    MutexLock lock(_mutex);
    change();
    _changed.notify_all();
}

bool ScriptedDispatcher::until(const std::function<bool()>& condition)
{
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    MutexLock lock(_mutex);
    while (!condition())
    {
        const auto left = deadline - std::chrono::steady_clock::now();
        if (left <= left.zero())
            return false;
        // Some conditions lie outside this class, where nobody notifies.
        lock.waitFor(_changed, std::min<std::chrono::nanoseconds>(left, Milliseconds(5)));
    }
    return true;
}

bool ScriptedDispatcher::holds(const std::function<bool()>& condition)
{
    MutexLock lock(_mutex);
    return condition();
}

std::shared_ptr<Served> ScriptedDispatcher::await(std::size_t wanted)
{
    std::shared_ptr<Served> found;
    until(
        [&]() OCTOSTORE_NO_THREAD_SAFETY_ANALYSIS
        {
            if (_served.size() < wanted)
                return false;
            found = _served[wanted - 1];
            return true;
        });
    return found;
}

std::size_t ScriptedDispatcher::count() const
{
    MutexLock lock(_mutex);
    return _served.size();
}

void ScriptedDispatcher::onThreadOf(const Served& served, Task task)
{
    bool done = false;
    served.exchange->executor()->post({[&]
                                       {
                                           task();
                                           note([&] { done = true; });
                                       }});
    until([&] { return done; });
}

void ScriptedDispatcher::answer(const Served& served, std::string body)
{
    served.exchange->executor()->post({[exchange = served.exchange, body = std::move(body)]
                                       { exchange->respond(textResponse(body)); }});
}

void ScriptedDispatcher::clear()
{
    std::vector<std::shared_ptr<Served>> dropped;
    {
        MutexLock lock(_mutex);
        dropped.swap(_served);
    }
    for (const auto& served : dropped)
    {
        served->exchange.reset();
        served->stream.reset();
    }
}

} // namespace octostore::test
