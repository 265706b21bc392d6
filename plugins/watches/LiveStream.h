// SPDX-License-Identifier: MIT
/// @file
/// One open stream: from what was missed to what happens now.
#pragma once

#include "Errands.h"
#include "Hub.h"
#include "StreamLimits.h"
#include "WatchFigures.h"

#include <octostore/coordination/Coordinator.h>
#include <octostore/event/Journal.h>
#include <octostore/http/Exchange.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace octostore::watches
{

/// What streams work with. Everything must outlive every exchange.
struct Surroundings
{
    const Clock& clock;
    coordination::Coordinator& coordinator;
    event::Journal& journal;
    Hub& hub;
    Errands& errands;
    WatchFigures& figures;
};

/// Begins to listen before anything is read. Until it has caught up with the journal it lets
/// deliveries pass: whatever was published by then is in the journal, and the last look at the
/// journal is taken on the thread that deliveries come to. So nothing is missed, nothing has to be
/// kept meanwhile, and a sequence that was sent already is not sent again.
/// The hub and the transport keep it alive. Thread-safety: thread-affine(the exchange's executor).
class LiveStream : public Subscriber, public std::enable_shared_from_this<LiveStream>
{
public:
    /// Unsent bytes a reader may be behind before it has lagged; below what transports keep.
    static constexpr std::size_t unsentMax = 128 * 1024;
    static constexpr std::chrono::seconds silenceMax{15};

    const std::shared_ptr<Executor>& executor() const noexcept final { return _executor; }
    void deliver(const Delivery& delivery) noexcept final;
    void tick() noexcept final;
    void end(const Error& why) noexcept final;

protected:
    LiveStream(const Surroundings& around, http::ExchangePtr exchange, Topic topic,
               StreamLimits::Place place);

    /// Listens from now on, and to the end of the caller's credential. Answers the exchange when
    /// that is refused: false.
    bool listen();
    /// Sends the head of the stream.
    void open();
    /// Goes on behind `after`, from the journal and then live.
    void follow(Sequence after);
    bool send(const Frame& frame);
    void sendAll(const std::vector<Frame>& frames);
    /// Answers the exchange instead of opening a stream.
    void refuse(const Error& error, const http::ErrorDetails& details = {});

    bool ended() const noexcept { return _phase == Phase::Ended; }
    const Surroundings& around() const noexcept { return _around; }
    const http::Exchange& exchange() const noexcept { return *_exchange; }
    void liveUntil(BootTime end) { _endsAt = end; }

    /// The frames of an event in the journal; none when the stream is not about it.
    virtual std::vector<Frame> framesOf(const event::Event& event) = 0;
    /// Whether something that happens now is sent. Sees every delivery of its topic once.
    virtual bool wants(const Delivery& delivery) = 0;
    /// The journal was cut off behind what was sent: says so and follows from another place.
    virtual void startAgain() = 0;
    virtual std::string_view keepAlive() const noexcept = 0;

private:
    enum class Phase
    {
        Opening,
        CatchingUp,
        Live,
        Ended,
    };
    struct Page
    {
        Result<std::vector<event::EventPtr>> events;
        Sequence upTo; ///< nothing up to it is missing
        bool cut;      ///< events behind the last one sent may have been forgotten
    };

    void catchUp();
    void readPage();
    bool sendMissed(const std::vector<event::EventPtr>& events);
    void take(const std::vector<event::EventPtr>& events);
    void took(const Page& page);
    void later(void (LiveStream::*step)(), Milliseconds delay);
    void finish();
    void closed();

    const Surroundings _around;
    const std::shared_ptr<Executor> _executor;
    const Topic _topic;
    http::ExchangePtr _exchange; ///< until it is answered
    StreamLimits::Place _place;
    http::CredentialHold _credential;
    std::shared_ptr<http::Stream> _stream;
    Phase _phase = Phase::Opening;
    Sequence _last; ///< everything up to it was sent or is no concern of this stream
    BootTime _spokenAt;
    std::optional<BootTime> _endsAt;
};

} // namespace octostore::watches
