// SPDX-License-Identifier: MIT
#include "WebhookFixture.h"

#include <future>
#include <thread>
#include <utility>

namespace octostore::test
{

namespace
{

using namespace std::chrono_literals;
using webhooks::DeliveryLog;

webhooks::DispatcherOptions options()
{
    webhooks::DispatcherOptions made;
    made.retry.delays = DispatcherStage::schedule();
    made.incarnation = "0a1b";
    return made;
}

std::unique_ptr<DeliveryLog> openLog(const TemporaryDirectory& directory, const Clock& clock,
                                     std::unique_ptr<webhooks::DeliveryStore> slow,
                                     std::size_t queued)
{
    webhooks::DeliveryLogLimits limits;
    if (!slow)
        return *DeliveryLog::open(directory.file("webhooks.log"), clock, limits, Logger());
    limits.queued = queued;
    return std::make_unique<DeliveryLog>(std::move(slow), clock, limits);
}

webhooks::EgressPolicy egressPolicy()
{
    webhooks::EgressSettings settings;
    settings.allow = {"127.0.0.0/8"};
    return *webhooks::EgressPolicy::make(std::move(settings));
}

} // namespace

WebhookFixture::WebhookFixture(event::RetentionLimits limits,
                               std::unique_ptr<webhooks::DeliveryStore> slow)
    : journal(backend, server.clock(), limits, Logger()),
      policy(egressPolicy()),
      sender(server.clock()),
      deliveries(openLog(directory, server.clock(), std::move(slow), queuedWhenSlow)),
      store({server.coordinator(), server.clock(), random, journal, box, Logger()}),
      dispatcher({server.clock(), random, journal, sender, store, deliveries.get(), figures, {}},
                 options()),
      routes({store, dispatcher, *deliveries, policy, server.clock(), random, 10})
{
    server.settings = FakeSettings(FakeSettings::Values{{"elections.public", "true"}});
    server.accounts.add(alice, "alice");
    server.accounts.add(bob, "bob");
    server.accounts.add(root, "root", http::Role::Admin);
    server.setJournal(journal);
    server.coordinator().publishTo(
        [this](std::vector<event::Event> events, std::vector<event::Renewal> renewals)
        {
            if (!events.empty())
                _last = events.back().sequence;
            journal.publish(std::move(events), std::move(renewals));
        });
    EXPECT_TRUE(journal.start(Revision()));
    EXPECT_TRUE(server.add(api));
    EXPECT_TRUE(store.load());
    store.attach(dispatcher);
    server.registry().contribute<http::RouteProvider>("webhooks", routes);
    server.open();
    sender.setReceiver("receiver.example",
                       [this](const webhooks::Outgoing& message) { return receive(message); });
    answer(answered(200));
}

WebhookFixture::~WebhookFixture()
{
    store.stop();
    dispatcher.stop();
    journal.stop();
    deliveries->stop();
}

webhooks::Attempt WebhookFixture::receive(const webhooks::Outgoing& message)
{
    const auto body = readJson(message.body);
    const auto data = body ? body->find("data") : JsonValue::Object::const_iterator();
    if (_answer.succeeded() && body && data != body->end() && data->second.asObject() != nullptr)
        if (const auto sequence = data->second.asObject()->find("sequence");
            sequence != data->second.asObject()->end())
            _taken.push_back(*sequence->second.asInteger());
    return _answer;
}

JsonValue::Object WebhookFixture::ask(http::Method method, const std::string& target, int status,
                                      const std::optional<std::string>& body,
                                      std::string_view token)
{
    InProcessServer::Question question{
        method, target, {{"Authorization", "Bearer " + std::string(token)}}, body};
    const auto come = server.begin(question);
    if (target.ends_with("/ping"))
        dispatcher.step();
    if (target.starts_with("/webhooks/"))
        flushLog(); // the answer comes from there
    const http::Response response = come();
    EXPECT_EQ(response.status, status) << target << ": " << response.body;
    settle();
    if (response.body.empty() || response.body == "null")
        return {};
    return jsonOf(response.body.front() == '['
                      ? http::jsonResponse("{\"items\":" + response.body + "}")
                      : response);
}

std::string WebhookFixture::create(const std::string& more)
{
    return textOf(
        post("/webhooks",
             "{\"url\":\"https://receiver.example/\",\"format\":\"octostore\"" + more + "}", 201),
        "id");
}

void WebhookFixture::change(const std::string& lock)
{
    const auto got = post("/locks/" + lock + "/acquire", "{}", 200);
    post("/locks/" + lock + "/release", "{\"lease_id\":\"" + textOf(got, "lease_id") + "\"}", 200);
}

void WebhookFixture::pass(BootClock::duration time)
{
    clock().advance(time);
    server.coordinator().run();
    settle();
    dispatcher.step();
    settle();
}

void WebhookFixture::passIn(BootClock::duration time, BootClock::duration step)
{
    for (; time > 0s; time -= step)
        pass(std::min(time, step));
}

void WebhookFixture::settle()
{
    for (int i = 0; i < 60'000 && journal.newest() < _last; ++i)
        std::this_thread::sleep_for(1ms);
    EXPECT_GE(journal.newest().value(), _last.value());
}

void WebhookFixture::flushLog()
{
    std::promise<void> flushed;
    deliveries->list({}, [&flushed](const auto&) { flushed.set_value(); });
    flushed.get_future().wait();
}

void WebhookFixture::until(const std::function<bool()>& condition)
{
    for (int i = 0; i < 6'000; ++i)
    {
        if (condition())
            return;
        std::this_thread::sleep_for(10ms);
        pass(1s);
    }
    ADD_FAILURE() << "it did not come";
}

std::vector<std::string> WebhookFixture::eventsOf(const std::string& id, event::Type type)
{
    std::vector<std::string> reasons;
    for (const event::Draft& draft : server.coordinator().eventsOf(id))
        if (draft.type == type && draft.kind == event::ResourceKind::Webhook)
            reasons.push_back(draft.reason);
    return reasons;
}

std::vector<std::string> WebhookFixture::log(const std::string& id, const std::string& query)
{
    std::vector<std::string> rows;
    const auto page = get("/webhooks/" + id + "/deliveries" + query);
    if (const auto items = page.find("items"); items != page.end())
        for (const JsonValue& item : *items->second.asArray())
            rows.insert(rows.begin(),
                        textOf(*item.asObject(), "id") + ":" + textOf(*item.asObject(), "state"));
    return rows;
}

} // namespace octostore::test
