// SPDX-License-Identifier: MIT
/// @file
/// Request after request on one connection.
#pragma once

#include "BlockingChannel.h"
#include "Line.h"
#include "RequestReader.h"

#include <octostore/base/Random.h>
#include <octostore/base/Time.h>
#include <octostore/http/ResponseHead.h>
#include <octostore/http/Transport.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace octostore::http_poco
{

/// What the connections of one transport share. Thread-safety: thread-safe.
struct Service
{
    Service(const http::TransportOptions& transportOptions, http::Dispatcher& exchangeDispatcher,
            const Clock& systemClock, Random& idRandom)
        : options(transportOptions),
          dispatcher(exchangeDispatcher),
          clock(systemClock),
          random(idRandom)
    {
    }

    http::TransportOptions options;
    http::Dispatcher& dispatcher;
    const Clock& clock;
    Random& random;
    std::atomic<std::uint64_t> turnedAway{}; ///< connections above the limit
    std::atomic<bool> draining{false};       ///< close when idle
    std::atomic<bool> cut{false};            ///< close now
};

/// Thread-safety: thread-affine(the connection's).
class Conversation
{
public:
    /// `service` must outlive this object.
    Conversation(Service& service, int socket, std::shared_ptr<TaskInbox> inbox);
    /// Blocks until the connection may be closed.
    void run();

private:
    using Answer = BlockingChannel::Answer;

    bool readRequest(RequestReader& reader);
    bool serve(RequestReader& reader);
    std::optional<Answer> awaitAnswer(BlockingChannel& channel,
                                      const std::weak_ptr<http::Exchange>& watched);
    bool sendAnswer(const Answer& answer, const http::Framing& framing, bool keepAlive, bool head);
    void watchPeer();
    void awaitLateAnswer(const std::weak_ptr<http::Exchange>& watched);
    bool sendStream(http::StreamQueue& stream, bool chunked);

    Service& _service;
    const std::shared_ptr<TaskInbox> _inbox;
    const Line _line;
    const std::string _peer;
    std::string _unread; ///< came behind the request that is being served
    http::DateCache _date;
    bool _watched = false; ///< by TCP keepalive
};

} // namespace octostore::http_poco
