// SPDX-License-Identifier: MIT
/// @file
/// Handlers for the transport suite, and what happened to the exchanges they were given.
#pragma once

#include <octostore/base/Mutex.h>
#include <octostore/http/Exchange.h>
#include <octostore/http/Transport.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace octostore::test
{

/// One exchange and its fate.
struct Served
{
    http::ExchangePtr exchange;
    std::shared_ptr<http::Stream> stream;
    std::thread::id thread; ///< of dispatch()
    bool abandoned = false;
    bool closed = false; ///< the stream
    std::optional<bool> delivered;
};

/// `/echo` answers `METHOD target body`; `/empty` 204; `/large?N` N bytes; `/close` closes;
/// `/peer` the client's address; `/wait` and `/stream` keep the exchange for the test; `/forget`
/// lets it go. Faults get their error answer.
/// Thread-safety: thread-safe.
class ScriptedDispatcher final : public http::Dispatcher
{
public:
    void dispatch(const http::ExchangePtr& exchange) noexcept override;

    /// Waits until so many exchanges were dispatched and gives the last of them.
    std::shared_ptr<Served> await(std::size_t count) OCTOSTORE_EXCLUDES(_mutex);
    /// Waits until `condition` holds; false after a minute.
    bool until(const std::function<bool()>& condition) OCTOSTORE_EXCLUDES(_mutex);
    /// Whether `condition` holds now; the members of Served belong to other threads.
    bool holds(const std::function<bool()>& condition) OCTOSTORE_EXCLUDES(_mutex);
    std::size_t count() const OCTOSTORE_EXCLUDES(_mutex);
    /// Runs `task` on the exchange's thread and waits for it.
    void onThreadOf(const Served& served, Task task) OCTOSTORE_EXCLUDES(_mutex);
    /// Answers 200 with `body` from the exchange's thread.
    void answer(const Served& served, std::string body);
    /// Lets go of every exchange; after the transport has stopped.
    void clear() OCTOSTORE_EXCLUDES(_mutex);

private:
    void watch(const std::shared_ptr<Served>& served);
    void note(const std::function<void()>& change) OCTOSTORE_EXCLUDES(_mutex);

    mutable Mutex _mutex;
    std::condition_variable _changed;
    std::vector<std::shared_ptr<Served>> _served OCTOSTORE_GUARDED_BY(_mutex);
};

} // namespace octostore::test
