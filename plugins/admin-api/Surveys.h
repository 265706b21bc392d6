// SPDX-License-Identifier: MIT
/// @file
/// The long reads of administrators: a few at a time, the others in the order in which they came.
#pragma once

#include "Surroundings.h"

#include <octostore/base/Mutex.h>

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>

namespace octostore::admin_api
{

/// Each read copies everything there is, so that memory bounds how many there may be at once.
/// Thread-safety: thread-safe, but what has an exchange or a turn runs on the exchange's thread.
class Surveys
{
public:
    /// One read, from its turn to its answer. The next one begins when nobody keeps it any more.
    class Turn;
    using TurnPtr = std::shared_ptr<Turn>;

    /// `around` must outlive every exchange.
    explicit Surveys(const Surroundings& around);

    /// Calls `begin` on the exchange's thread when it is its turn, perhaps at once. Answers
    /// Overloaded when too many wait; drops whose client has gone.
    void enter(const http::ExchangePtr& exchange, std::function<void(const TurnPtr&)> begin) const;
    /// As ask() of the surroundings; what its client does not wait for any more is abandoned.
    void ask(const TurnPtr& turn, coordination::Query query,
             std::function<void(coordination::Reply)> done) const;
    /// Answers with what `render` makes: here, or on the lists' thread when there are many `items`.
    void render(const TurnPtr& turn, std::size_t items,
                std::function<http::Response()> render) const;
    /// Who waits is answered Draining.
    void stop();

private:
    class Line;

    const Surroundings& _around;
    const std::shared_ptr<Line> _line; ///< turns may outlive us
};

} // namespace octostore::admin_api
