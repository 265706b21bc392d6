// SPDX-License-Identifier: MIT
#include "WebhookFlood.h"

#include <octostore/base/Json.h>
#include <octostore/bench/LeaseRequests.h>
#include <octostore/bench/Workload.h>

#include <algorithm>
#include <atomic>
#include <iostream>
#include <thread>

namespace octostore::bench
{

namespace
{

using namespace std::chrono_literals;
using SteadyClock = std::chrono::steady_clock;

constexpr auto floodPatience = 300s;

/// Counts what another client changes.
class CountingClient final : public Client
{
public:
    CountingClient(std::unique_ptr<Client> other, std::atomic<std::uint64_t>& changes)
        : _other(std::move(other)), _changes(changes)
    {
    }
    std::optional<Operation> next(Phase phase, std::string& out) override
    {
        return _other->next(phase, out);
    }
    Verdict answered(const Answer& answer) override
    {
        const Verdict verdict = _other->answered(answer);
        _changes += verdict == Verdict::Good ? 1 : 0;
        return verdict;
    }

private:
    const std::unique_ptr<Client> _other;
    std::atomic<std::uint64_t>& _changes;
};

double us(Duration duration)
{
    return std::chrono::duration<double, std::micro>(duration).count();
}

const Histogram& acquiresOf(const LoadResult& result)
{
    return result.operations[static_cast<std::size_t>(Operation::Acquire)].latency;
}

struct Backlog
{
    std::uint64_t behindMost = 0;      ///< changes that the slowest receiver had not got
    SteadyClock::duration caughtUp{0}; ///< after the last change
};

void print(const WebhookFlood& flood, const LoadResult& result, const Backlog& backlog,
           std::size_t hooks, std::size_t least)
{
    JsonWriter json;
    json.beginObject()
        .field("kind", "webhooks")
        .field("hooks", static_cast<std::uint64_t>(hooks))
        .field("changes", flood.changes())
        .field("changes_per_second", static_cast<double>(result.answers()) /
                                         std::chrono::duration<double>(result.measured).count())
        .field("requests", static_cast<std::uint64_t>(flood.receivers().requests()))
        .field("missing", flood.changes() - std::min<std::uint64_t>(flood.changes(), least))
        .field("behind_most", backlog.behindMost)
        .field("caught_up_ms", std::chrono::duration<double, std::milli>(backlog.caughtUp).count())
        .field("acquire_p50_us", us(acquiresOf(result).quantile(0.5)))
        .field("acquire_p99_us", us(acquiresOf(result).quantile(0.99)));
    std::cout << json.endObject().take() << "\n";
}

/// How long it takes until every receiver on these paths has everything.
SteadyClock::duration catchUp(const WebhookFlood& flood, const std::string& path)
{
    const auto begun = SteadyClock::now();
    while (flood.least(path) < flood.changes() && SteadyClock::now() < begun + floodPatience)
        std::this_thread::sleep_for(1ms);
    return SteadyClock::now() - begun;
}

/// Waits until the server says that there is nothing left.
Result<void> drain(WebhookFlood& flood)
{
    for (const auto end = SteadyClock::now() + floodPatience; SteadyClock::now() < end;)
    {
        const auto drained = flood.isDrained();
        if (!drained || *drained)
            return drained ? Result<void>() : drained.error();
        std::this_thread::sleep_for(50ms);
    }
    return Error{ErrorCode::Internal, "the backlog is not empty after five minutes"};
}

} // namespace

Result<void> WebhookFlood::connect()
{
    const auto url = client::ServerUrl::parse("http://" + _setting.authority);
    if (!url)
        return url.error();
    auto made = client::HttpClient::create(*url, {});
    if (!made)
        return made.error();
    _client = *std::move(made);
    return {};
}

Result<std::string> WebhookFlood::ask(const std::string& method, const std::string& path,
                                      const std::string& body, int status)
{
    client::Cancellation cancellation;
    const auto outcome = _client->send({method, path, body, _setting.token, {}}, 60s, cancellation);
    const auto* answer = std::get_if<client::HttpAnswer>(&outcome);
    if (answer == nullptr)
        return Error{ErrorCode::Internal, std::get<client::TransportFailure>(outcome).message};
    if (answer->status != status)
        return Error{ErrorCode::Internal, answer->body};
    return answer->body;
}

Result<void> WebhookFlood::addReceivers(std::size_t count, const std::string& path)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        const std::string own = path + std::to_string(i);
        const auto made = ask("POST", "/webhooks",
                              "{\"url\":\"" + _receivers.url() + own +
                                  "\",\"events\":[\"lock.*\"],\"lock_pattern\":\"**\"}",
                              201);
        if (!made)
            return made.error();
        _ids.emplace_back(textIn(*made, R"("id":")"));
        _paths.push_back(own);
    }
    return {};
}

Result<LoadResult> WebhookFlood::load(double rate)
{
    WorkloadOptions options;
    options.authority = _setting.authority;
    options.token = _setting.token;
    options.connections = _setting.connections;
    options.run = _setting.run;
    auto made = makeClients(options);
    if (!made)
        return made.error();
    std::vector<std::unique_ptr<Client>> clients;
    for (auto& one : *made)
        clients.push_back(std::make_unique<CountingClient>(std::move(one), _changes));
    LoadOptions load;
    load.host = _setting.host;
    load.port = _setting.port;
    load.duration = _setting.duration;
    load.rate = rate;
    auto result = runLoad(load, clients);
    if (result && result->failures() != 0)
        return Error{ErrorCode::Internal, result->firstFailure};
    return result;
}

std::size_t WebhookFlood::least(const std::string& path) const
{
    std::size_t least = SIZE_MAX;
    for (const std::string& own : _paths)
        if (own.starts_with(path))
            least = std::min(least, _receivers.distinct(own));
    return least;
}

Result<bool> WebhookFlood::isDrained()
{
    for (const std::string& id : _ids)
    {
        const auto answer = ask("GET", "/webhooks/" + id, "", 200);
        if (!answer)
            return answer.error();
        const auto object = readJson(*answer);
        if (!object)
            return object.error();
        const JsonValue::Object& stats = *object->at("stats").asObject();
        if (*stats.at("pending").asInteger() != 0 || *stats.at("more_in_journal").asBool())
            return false;
    }
    return true;
}

Result<void> webhooksScenario(const Setting& setting)
{
    constexpr double rate = 1000;
    const std::string path = "/good-";
    WebhookFlood flood(setting);
    if (auto connected = flood.connect(); !connected)
        return connected;
    if (auto added = flood.addReceivers(setting.hooks, path); !added)
        return added;
    Backlog backlog;
    std::atomic<bool> loading{true};
    // What it reads of the changes may be a little old.
    std::thread watching(
        [&]
        {
            while (loading)
            {
                const std::uint64_t got = flood.least(path);
                const std::uint64_t made = flood.changes();
                backlog.behindMost = std::max(backlog.behindMost, made > got ? made - got : 0);
                std::this_thread::sleep_for(20ms);
            }
        });
    const auto result = flood.load(rate);
    loading = false;
    watching.join();
    if (!result)
        return result.error();
    backlog.caughtUp = catchUp(flood, path);
    if (auto drained = drain(flood); !drained)
        return drained;
    print(flood, *result, backlog, setting.hooks, flood.least(path));
    return {};
}

Result<void> hangingScenario(const Setting& setting)
{
    constexpr double rate = 200;
    WebhookFlood flood(setting);
    if (auto connected = flood.connect(); !connected)
        return connected;
    if (auto added = flood.addReceivers(1, "/good-"); !added)
        return added;
    const auto before = flood.load(rate);
    if (!before)
        return before.error();
    if (auto added = flood.addReceivers(setting.hooks, "/hang-"); !added)
        return added;
    const std::uint64_t earlier = flood.changes();
    const auto during = flood.load(rate);
    if (!during)
        return during.error();
    const auto caughtUp = catchUp(flood, "/good-");
    const std::size_t got = flood.least("/good-");
    JsonWriter json;
    json.beginObject().field("kind", "hanging");
    json.field("hooks", static_cast<std::uint64_t>(setting.hooks));
    for (const auto& [name, share] : {std::pair{"p50", 0.5}, std::pair{"p99", 0.99}})
    {
        const double then = us(acquiresOf(*before).quantile(share));
        const double now = us(acquiresOf(*during).quantile(share));
        json.field(std::string("before_") + name + "_us", then)
            .field(std::string("during_") + name + "_us", now)
            .field(std::string(name) + "_ratio", now / then);
    }
    json.field("changes_meanwhile", flood.changes() - earlier);
    json.field("good_missing", flood.changes() - std::min<std::uint64_t>(flood.changes(), got));
    json.field("good_caught_up_ms", std::chrono::duration<double, std::milli>(caughtUp).count());
    std::cout << json.endObject().take() << "\n";
    return {};
}

} // namespace octostore::bench
