// SPDX-License-Identifier: MIT
/// @file
/// Requests that are on their way while the main thread does other things.
#pragma once

#include "WakeSignal.h"

#include <octostore/base/Time.h>
#include <octostore/client/HttpClient.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace octostore::program
{

using CallId = std::uint64_t;

struct Completion
{
    CallId id = 0;
    BootTime sent{}; ///< just before the request was sent
    client::HttpOutcome outcome;
};

/// Each call has a thread of its own and an instant at which it is over, answered or not: nothing
/// here makes its owner wait. Thread-safety: thread-affine(the thread that made it).
class Calls
{
public:
    /// `wake` is raised when an answer is there. `clock` must outlive this object.
    Calls(std::shared_ptr<client::HttpClient> http, const Clock& clock,
          std::shared_ptr<const WakeSignal> wake);
    /// Cancels what is left; threads that hang in the resolver are left behind.
    ~Calls();
    Calls(const Calls&) = delete;
    Calls& operator=(const Calls&) = delete;

    /// Its completion comes after `most` at the latest.
    CallId start(client::HttpRequest request, Milliseconds most);
    /// No completion comes any more; the server may have acted, or still act.
    void cancel(CallId id);
    /// What is answered or over by now.
    std::vector<Completion> take();
    /// When the next call is over.
    std::optional<BootTime> nextDeadline() const;

private:
    struct Call;
    struct Inbox;

    const std::shared_ptr<client::HttpClient> _http;
    const Clock& _clock;
    const std::shared_ptr<Inbox> _inbox;
    std::map<CallId, std::shared_ptr<Call>> _calls;
    CallId _last = 0;
};

} // namespace octostore::program
