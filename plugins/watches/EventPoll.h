// SPDX-License-Identifier: MIT
/// @file
/// One page of the journal, at once or when something has happened.
#pragma once

#include "EventFilter.h"
#include "LiveStream.h"

#include <memory>
#include <string>
#include <vector>

namespace octostore::watches
{

struct EventPage
{
    Sequence since;
    std::size_t limit = 100;
    std::chrono::seconds wait{0}; ///< how long to wait when there is nothing
};

/// Listens first and reads then, like a stream. A request looks at a bounded part of the journal:
/// a page may be empty although there is more, and `next_since` says where to go on.
/// Thread-safety: thread-affine(the exchange's executor).
class EventPoll final : public Subscriber, public std::enable_shared_from_this<EventPoll>
{
public:
    /// Answers the exchange, now or later.
    static void start(const Surroundings& around, const http::ExchangePtr& exchange,
                      EventFilter filter, const EventPage& page, StreamLimits::Place place);

    EventPoll(const Surroundings& around, http::ExchangePtr exchange, EventFilter filter,
              const EventPage& page, StreamLimits::Place place);

    const std::shared_ptr<Executor>& executor() const noexcept override { return _executor; }
    void deliver(const Delivery& delivery) noexcept override;
    void tick() noexcept override;
    void end(const Error& why) noexcept override;

private:
    bool listen();
    void look();
    void read();
    /// Nothing is missing up to `upTo`.
    void take(const std::vector<event::EventPtr>& events, Sequence upTo);
    void answer();
    void leave();

    const Surroundings _around;
    const std::shared_ptr<Executor> _executor;
    http::ExchangePtr _exchange; ///< null: answered
    const EventFilter _filter;
    const EventPage _page;
    const BootTime _until;
    StreamLimits::Place _place;
    http::CredentialHold _credential;
    Sequence _next;
    bool _gap;             ///< what was asked for begins with something that is forgotten
    bool _looking = false; ///< else it has seen everything and waits
    std::size_t _looked = 0;
    std::vector<event::EventPtr> _found;
};

} // namespace octostore::watches
