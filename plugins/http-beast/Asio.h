// SPDX-License-Identifier: MIT
/// @file
/// The parts of Boost.Asio this plugin uses: readiness, timers and a queue of handlers.
#pragma once

// Asio 1.74 uses std::exchange without including it.
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <utility>

namespace octostore::http_beast
{

namespace asio = boost::asio;
using boost::system::error_code;

} // namespace octostore::http_beast
