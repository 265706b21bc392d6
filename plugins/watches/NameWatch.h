// SPDX-License-Identifier: MIT
/// @file
/// Watches one lock or one room.
#pragma once

#include "LiveStream.h"

#include <octostore/coordination/Reply.h>

#include <memory>
#include <optional>
#include <string>

namespace octostore::watches
{

/// What a watch is opened with.
struct NameWatchOrder
{
    event::ResourceKind kind = event::ResourceKind::Lock; ///< or Election
    std::string name;                                     ///< of the lock, or the room
    std::optional<std::string> lastEventId;               ///< as the client sent it
    std::optional<std::chrono::seconds> life;             ///< nothing: no limit
};

/// Begins with what was missed, or with a snapshot. Renewals are told while they happen, of the
/// lease that is known to be live only: they come from another queue than the events.
/// Thread-safety: thread-affine(the exchange's executor).
class NameWatch final : public LiveStream
{
public:
    /// Answers the exchange, now or later.
    static void start(const Surroundings& around, const http::ExchangePtr& exchange,
                      NameWatchOrder order, StreamLimits::Place place);

    NameWatch(const Surroundings& around, http::ExchangePtr exchange, NameWatchOrder order,
              StreamLimits::Place place);

private:
    std::vector<Frame> framesOf(const event::Event& event) override;
    bool wants(const Delivery& delivery) override;
    void startAgain() override;
    std::string_view keepAlive() const noexcept override;

    enum class Beginning
    {
        First, ///< opens the stream, and may go on from where the client was
        Again, ///< behind a reset
    };

    void askStatus(Beginning beginning);
    void begin(const coordination::Status& status, Beginning beginning);
    void snapshot(const coordination::Status& status);
    void note(const event::Event& event);
    /// Where to go on; nothing when that cannot be honoured.
    std::optional<Sequence> resumePoint(Revision asOf) const;

    const NameWatchOrder _order;
    std::optional<Term> _live; ///< of the lease that is live, as far as is known
    Sequence _liveAsOf;
};

} // namespace octostore::watches
