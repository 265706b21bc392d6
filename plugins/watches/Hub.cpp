// SPDX-License-Identifier: MIT
#include "Hub.h"

#include <utility>

namespace octostore::watches
{

namespace
{

const Topic everything{};

} // namespace

std::size_t Hub::TopicHash::operator()(const Topic& topic) const noexcept
{
    const auto kind = topic.kind ? static_cast<std::size_t>(*topic.kind) : 0;
    return std::hash<std::string>{}(topic.name) * 31 + kind;
}

/// One task for each thread, with everything its watchers get, in order.
class Hub::Parcels
{
public:
    void add(const SubscriberPtr& subscriber, const DeliveryPtr& delivery)
    {
        Parcel& parcel = _parcels[subscriber->executor().get()];
        if (!parcel.executor)
            parcel.executor = subscriber->executor();
        parcel.items.emplace_back(subscriber, delivery);
    }

    void post()
    {
        for (auto& [key, parcel] : _parcels)
            parcel.executor->post({[items = std::move(parcel.items)]
                                   {
                                       for (const auto& [subscriber, delivery] : items)
                                           subscriber->deliver(*delivery);
                                   }});
    }

private:
    struct Parcel
    {
        std::shared_ptr<Executor> executor;
        std::vector<std::pair<SubscriberPtr, DeliveryPtr>> items;
    };
    std::unordered_map<const Executor*, Parcel> _parcels;
};

Result<void> Hub::subscribe(const Topic& topic, const SubscriberPtr& subscriber)
{
    MutexLock lock(_mutex);
    if (_draining)
        return Error{ErrorCode::Draining, "The server is stopping."};
    const auto found = _topics.find(topic);
    if (found == _topics.end() && _topics.size() >= _namesMax)
        return Error{ErrorCode::CapacityExceeded, "Too many different names are watched."};
    _topics[topic].emplace(subscriber.get(), subscriber);
    return {};
}

void Hub::unsubscribe(const Topic& topic, const Subscriber& subscriber)
{
    SubscriberPtr gone; // goes when the mutex is free
    MutexLock lock(_mutex);
    const auto found = _topics.find(topic);
    if (found == _topics.end())
        return;
    if (const auto place = found->second.find(&subscriber); place != found->second.end())
    {
        gone = std::move(place->second);
        found->second.erase(place);
    }
    if (found->second.empty())
        _topics.erase(found);
}

void Hub::collect(const Topic& topic, Parcels& parcels, const std::function<DeliveryPtr()>& make)
{
    const auto found = _topics.find(topic);
    if (found == _topics.end())
        return;
    const DeliveryPtr delivery = make();
    if (delivery->frames.empty())
        return;
    for (const auto& [key, subscriber] : found->second)
        parcels.add(subscriber, delivery);
}

void Hub::events(const std::vector<event::EventPtr>& batch) noexcept
{
    Parcels parcels;
    {
        MutexLock lock(_mutex);
        for (const event::EventPtr& event : batch)
        {
            const event::Draft& what = event->what;
            if (what.kind == event::ResourceKind::Lock ||
                what.kind == event::ResourceKind::Election)
                collect({what.kind, what.name}, parcels,
                        [&event] {
                            return std::make_shared<const Delivery>(
                                Delivery{event, {}, transitionFrames(*event)});
                        });
            collect(everything, parcels,
                    [&event] {
                        return std::make_shared<const Delivery>(
                            Delivery{event, {}, {eventFrame(*event)}});
                    });
        }
    }
    parcels.post();
}

void Hub::renewals(const std::vector<event::Renewal>& batch) noexcept
{
    Parcels parcels;
    {
        MutexLock lock(_mutex);
        for (const event::Renewal& renewal : batch)
            collect({renewal.kind, renewal.name}, parcels,
                    [&renewal]
                    {
                        return std::make_shared<const Delivery>(
                            Delivery{nullptr, renewal.term, {renewalFrame(renewal)}});
                    });
    }
    parcels.post();
}

void Hub::postToAll(const std::function<void(Subscriber&)>& what)
{
    std::unordered_map<std::shared_ptr<Executor>, std::vector<SubscriberPtr>> byThread;
    {
        MutexLock lock(_mutex);
        for (const auto& [topic, subscribers] : _topics)
            for (const auto& [key, subscriber] : subscribers)
                byThread[subscriber->executor()].push_back(subscriber);
    }
    for (auto& [executor, subscribers] : byThread)
        executor->post({[what, all = std::move(subscribers)]
                        {
                            for (const SubscriberPtr& subscriber : all)
                                what(*subscriber);
                        }});
}

void Hub::tick()
{
    postToAll([](Subscriber& subscriber) { subscriber.tick(); });
}

void Hub::drain(const Error& why)
{
    {
        MutexLock lock(_mutex);
        _draining = true;
    }
    postToAll([why](Subscriber& subscriber) { subscriber.end(why); });
}

std::size_t Hub::names() const
{
    MutexLock lock(_mutex);
    return _topics.size();
}

std::size_t Hub::subscribers() const
{
    MutexLock lock(_mutex);
    std::size_t count = 0;
    for (const auto& [topic, subscribers] : _topics)
        count += subscribers.size();
    return count;
}

} // namespace octostore::watches
