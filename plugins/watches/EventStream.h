// SPDX-License-Identifier: MIT
/// @file
/// The journal as a stream of server-sent events.
#pragma once

#include "EventFilter.h"
#include "LiveStream.h"

#include <optional>

namespace octostore::watches
{

/// Where an event stream begins.
struct EventStart
{
    std::optional<Sequence> after; ///< nothing: with what happens from now on
    bool broken = false;           ///< the client sent an id that is none: it begins with a reset
};

/// Thread-safety: thread-affine(the exchange's executor).
class EventStream final : public LiveStream
{
public:
    /// Answers the exchange.
    static void start(const Surroundings& around, const http::ExchangePtr& exchange,
                      EventFilter filter, const EventStart& from, StreamLimits::Place place);

    EventStream(const Surroundings& around, http::ExchangePtr exchange, EventFilter filter,
                StreamLimits::Place place);

private:
    std::vector<Frame> framesOf(const event::Event& event) override;
    bool wants(const Delivery& delivery) override;
    void startAgain() override;
    std::string_view keepAlive() const noexcept override { return "keepalive"; }

    void begin(const EventStart& from);

    const EventFilter _filter;
};

} // namespace octostore::watches
