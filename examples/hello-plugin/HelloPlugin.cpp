// SPDX-License-Identifier: MIT
/// @file
/// A plugin that greets, counts what happens, and says whether it is well.
#include <octostore/base/Json.h>
#include <octostore/event/Consumer.h>
#include <octostore/http/Route.h>
#include <octostore/plugin/Door.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace hello
{

using namespace octostore;

/// Thread-safety: as the interfaces say; the count is the one thing that threads share.
class HelloPlugin final : public plugin::Plugin,
                          public http::RouteProvider,
                          public event::Consumer,
                          public plugin::HealthCheck
{
public:
    std::vector<config::Key> keys() const override
    {
        config::Key greeting;
        greeting.name = "hello.greeting";
        greeting.defaultValue = "Hello";
        greeting.help = "What GET /hello says.";
        return {greeting};
    }
    Result<void> configure(const plugin::Context& context) noexcept override
    {
        _greeting = context.configuration.text("hello.greeting");
        if (_greeting.empty())
            return Error{ErrorCode::Configuration, "hello.greeting must not be empty"};
        return {};
    }
    Result<void> start(plugin::ExtensionRegistry& registry) noexcept override
    {
        registry.contribute<http::RouteProvider>("hello", *this);
        registry.contribute<event::Consumer>("hello", *this);
        registry.contribute<plugin::HealthCheck>("hello", *this);
        return {};
    }
    void stop() noexcept override {}

    std::vector<http::Route> routes() override
    {
        http::Route route;
        route.pattern = "/hello";
        route.access = http::Access::Public;
        route.handler = [this](const http::ExchangePtr& exchange) { answer(*exchange); };
        return {route};
    }

    void events(const std::vector<event::EventPtr>& batch) noexcept override
    {
        _seen += batch.size();
    }

    std::string_view name() const noexcept override { return "hello"; }
    Result<void> ready() const noexcept override { return {}; }

private:
    void answer(http::Exchange& exchange)
    {
        JsonWriter json;
        json.beginObject()
            .field("greeting", _greeting)
            .field("events_seen", _seen.load())
            .endObject();
        exchange.respond(http::jsonResponse(json.take()));
    }

    std::string _greeting;
    std::atomic<std::uint64_t> _seen{0};
};

} // namespace hello

OCTOSTORE_PLUGIN(hello::HelloPlugin, "hello", "1.0.0", "",
                 "http.routes/1,event.consumer/1,health.check/1")
