// SPDX-License-Identifier: MIT
/// @file
/// Accepts connections and deals them out.
#pragma once

#include "Asio.h"
#include "IoThread.h"
#include "Service.h"

#include <octostore/http/ListeningSocket.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace octostore::http_beast
{

/// Runs on the first I/O thread. Thread-safety: thread-affine(that thread), but port() is for any.
class Listener
{
public:
    /// `service` and `threads` must outlive this object.
    Listener(Service& service, std::vector<std::unique_ptr<IoThread>>& threads,
             http::ListeningSocket socket);

    /// Errors: Unavailable.
    Result<void> open();
    void close();
    std::uint16_t port() const noexcept { return _listening.port(); }

private:
    void awaitConnections();
    void acceptAll();
    void deal(int socket);
    void pause();

    Service& _service;
    std::vector<std::unique_ptr<IoThread>>& _threads;
    http::ListeningSocket _listening;
    asio::posix::stream_descriptor _descriptor;
    asio::steady_timer _pause;
    std::size_t _next = 0;
};

} // namespace octostore::http_beast
