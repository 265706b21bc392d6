// SPDX-License-Identifier: MIT
/// @file
/// From the publisher to those who watch.
#pragma once

#include "Frames.h"

#include <octostore/base/Executor.h>
#include <octostore/base/Mutex.h>
#include <octostore/base/Result.h>
#include <octostore/event/Consumer.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace octostore::watches
{

/// What a watch is about: a lock or a room by name, or every event there is.
struct Topic
{
    std::optional<event::ResourceKind> kind; ///< nothing: everything
    std::string name;
    bool operator==(const Topic&) const = default;
};

/// What happened, and how it looks; shared by all who get it.
struct Delivery
{
    event::EventPtr event; ///< null: a renewal
    Term renewed;          ///< of a renewal
    std::vector<Frame> frames;
};
using DeliveryPtr = std::shared_ptr<const Delivery>;

/// Somebody who watches. Thread-safety: thread-affine(its executor).
class Subscriber
{
public:
    virtual ~Subscriber() = default;
    virtual const std::shared_ptr<Executor>& executor() const noexcept = 0;
    /// In the order of publication. Frames are those of its topic.
    virtual void deliver(const Delivery& delivery) noexcept = 0;
    /// Time has passed: about once a second.
    virtual void tick() noexcept = 0;
    /// It ends now and tells its client why.
    virtual void end(const Error& why) noexcept = 0;
};
using SubscriberPtr = std::shared_ptr<Subscriber>;

/// Finds who watches what happened, makes each frame once and posts one task to each thread that
/// has watchers of it. Every event that is published after subscribe() returned is delivered.
/// Thread-safety: thread-safe; nothing is written or posted while the mutex is held.
class Hub final : public event::Consumer
{
public:
    /// `namesMax`: most names that may be watched at once.
    explicit Hub(std::size_t namesMax) : _namesMax(namesMax) {}

    /// Errors: CapacityExceeded, too many names are watched already; Draining.
    Result<void> subscribe(const Topic& topic, const SubscriberPtr& subscriber)
        OCTOSTORE_EXCLUDES(_mutex);
    void unsubscribe(const Topic& topic, const Subscriber& subscriber) OCTOSTORE_EXCLUDES(_mutex);

    void events(const std::vector<event::EventPtr>& batch) noexcept override
        OCTOSTORE_EXCLUDES(_mutex);
    void renewals(const std::vector<event::Renewal>& batch) noexcept override
        OCTOSTORE_EXCLUDES(_mutex);
    /// Lets every subscriber know that time has passed.
    void tick() OCTOSTORE_EXCLUDES(_mutex);
    /// Ends every subscriber; nobody may subscribe any more.
    void drain(const Error& why) OCTOSTORE_EXCLUDES(_mutex);

    std::size_t names() const OCTOSTORE_EXCLUDES(_mutex);
    std::size_t subscribers() const OCTOSTORE_EXCLUDES(_mutex);

private:
    struct TopicHash
    {
        std::size_t operator()(const Topic& topic) const noexcept;
    };
    using Subscribers = std::unordered_map<const Subscriber*, SubscriberPtr>;
    class Parcels;

    void collect(const Topic& topic, Parcels& parcels, const std::function<DeliveryPtr()>& make)
        OCTOSTORE_REQUIRES(_mutex);
    void postToAll(const std::function<void(Subscriber&)>& what) OCTOSTORE_EXCLUDES(_mutex);

    const std::size_t _namesMax;
    mutable Mutex _mutex;
    std::unordered_map<Topic, Subscribers, TopicHash> _topics OCTOSTORE_GUARDED_BY(_mutex);
    bool _draining OCTOSTORE_GUARDED_BY(_mutex) = false;
};

} // namespace octostore::watches
