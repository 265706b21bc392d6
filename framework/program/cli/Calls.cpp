// SPDX-License-Identifier: MIT
#include "Calls.h"

#include <octostore/base/Mutex.h>

#include <algorithm>
#include <deque>
#include <system_error>
#include <thread>
#include <utility>

namespace octostore::program
{

using client::HttpOutcome;
using client::TransportFailure;
using client::TransportFault;

/// Shared with the threads, which may outlive the owner.
struct Calls::Inbox
{
    explicit Inbox(std::shared_ptr<const WakeSignal> signal) : wake(std::move(signal)) {}

    void post(Completion completion)
    {
        {
            MutexLock lock(mutex);
            arrived.push_back(std::move(completion));
        }
        wake->raise();
    }

    const std::shared_ptr<const WakeSignal> wake;
    Mutex mutex;
    std::deque<Completion> arrived OCTOSTORE_GUARDED_BY(mutex);
};

struct Calls::Call
{
    client::Cancellation cancellation;
    BootTime sent{};
    BootTime over{};
};

Calls::Calls(std::shared_ptr<client::HttpClient> http, const Clock& clock,
             std::shared_ptr<const WakeSignal> wake)
    : _http(std::move(http)), _clock(clock), _inbox(std::make_shared<Inbox>(std::move(wake)))
{
}

Calls::~Calls()
{
    for (const auto& [id, call] : _calls)
        call->cancellation.cancel();
}

CallId Calls::start(client::HttpRequest request, Milliseconds most)
{
    const CallId id = ++_last;
    auto call = std::make_shared<Call>();
    call->sent = _clock.bootTime();
    call->over = call->sent + most;
    _calls.emplace(id, call);
    auto work = [id, call, most, http = _http, inbox = _inbox, request = std::move(request)] {
        inbox->post({id, call->sent, http->send(request, most, call->cancellation)});
    };
    try
    {
        std::thread(std::move(work)).detach();
    }
    catch (const std::system_error& e)
    {
        _inbox->post({id, call->sent, TransportFailure{TransportFault::Unreachable, e.what()}});
    }
    return id;
}

void Calls::cancel(CallId id)
{
    const auto found = _calls.find(id);
    if (found == _calls.end())
        return;
    found->second->cancellation.cancel();
    _calls.erase(found);
}

std::vector<Completion> Calls::take()
{
    std::deque<Completion> arrived;
    {
        MutexLock lock(_inbox->mutex);
        arrived.swap(_inbox->arrived);
    }
    std::vector<Completion> result;
    for (Completion& completion : arrived)
        if (_calls.erase(completion.id) != 0)
            result.push_back(std::move(completion));
    const BootTime now = _clock.bootTime();
    for (auto at = _calls.begin(); at != _calls.end();)
    {
        if (at->second->over > now)
        {
            ++at;
            continue;
        }
        at->second->cancellation.cancel();
        result.push_back({at->first, at->second->sent,
                          TransportFailure{TransportFault::Timeout,
                                           _http->server().place() + " did not answer in time"}});
        at = _calls.erase(at);
    }
    return result;
}

std::optional<BootTime> Calls::nextDeadline() const
{
    std::optional<BootTime> next;
    for (const auto& [id, call] : _calls)
        next = std::min(next.value_or(call->over), call->over);
    return next;
}

} // namespace octostore::program
