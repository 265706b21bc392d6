// SPDX-License-Identifier: MIT
/// @file
/// A thread with its event loop and its connections.
#pragma once

#include "Asio.h"
#include "IoExecutor.h"
#include "Service.h"

#include <octostore/http/ResponseHead.h>

#include <cstddef>
#include <memory>
#include <thread>
#include <unordered_set>
#include <vector>

namespace octostore::http_beast
{

class Connection;

/// Every connection belongs to one thread for life. Thread-safety: adopt(), drain() and stop() are
/// for any thread; the rest is thread-affine(this thread).
class IoThread
{
public:
    /// `service` must outlive this object. `index` is for the thread's name.
    IoThread(Service& service, unsigned index);
    /// stop() must have been called if start() was.
    ~IoThread();

    void start();
    /// Serves the connection, or, when `refuse`, only tells it that there are too many.
    void adopt(int socket, bool refuse);
    /// Closes what is idle.
    void drain();
    /// Cuts every connection, drops every task and joins.
    void stop();

    asio::io_context& context() noexcept { return _context; }
    const std::shared_ptr<IoExecutor>& executor() const noexcept { return _executor; }

    /// Where every connection of the thread receives into; what it wants to keep it copies.
    std::vector<char>& scratch() noexcept { return _scratch; }
    /// For the `date` header.
    std::string_view date();
    void forget(const std::shared_ptr<Connection>& connection);

private:
    void tick();
    std::vector<std::shared_ptr<Connection>> connections() const;

    Service& _service;
    const unsigned _index;
    asio::io_context _context{1}; // one thread runs it
    asio::executor_work_guard<asio::io_context::executor_type> _work;
    asio::steady_timer _ticker;
    const std::shared_ptr<IoExecutor> _executor;
    std::vector<char> _scratch;
    http::DateCache _date;
    std::unordered_set<std::shared_ptr<Connection>> _connections;
    std::thread _thread;
};

} // namespace octostore::http_beast
