// SPDX-License-Identifier: MIT
#include "Resolver.h"

#include <octostore/base/Mutex.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>

#include <netdb.h>

namespace octostore::webhooks
{

namespace
{

constexpr int lookUpsMax = 64;
constexpr std::chrono::milliseconds lookEvery{100}; ///< whether it was stopped

struct LookUp
{
    Mutex mutex;
    std::condition_variable changed;
    bool done OCTOSTORE_GUARDED_BY(mutex) = false;
    std::vector<http::IpAddress> found OCTOSTORE_GUARDED_BY(mutex);
};

std::shared_ptr<std::atomic<int>> running()
{
    // Shared with threads that may outlive everything else.
    static const auto count = std::make_shared<std::atomic<int>>(0);
    return count;
}

std::vector<http::IpAddress> lookUp(const std::string& host)
{
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* list = nullptr;
    std::vector<http::IpAddress> found;
    if (::getaddrinfo(host.c_str(), nullptr, &hints, &list) != 0)
        return found;
    for (const addrinfo* one = list; one != nullptr; one = one->ai_next)
        if (const auto address = http::IpAddress::fromSocketAddress(*one->ai_addr))
            found.push_back(*address);
    ::freeaddrinfo(list);
    return found;
}

/// False: there is no thread for it.
bool begin(const std::shared_ptr<LookUp>& work, const std::string& host,
           const std::shared_ptr<std::atomic<int>>& count)
{
    try
    {
        std::thread(
            [work, host, count]
            {
                std::vector<http::IpAddress> found = lookUp(host);
                {
                    MutexLock lock(work->mutex);
                    work->found = std::move(found);
                    work->done = true;
                }
                work->changed.notify_all();
                count->fetch_sub(1);
            })
            .detach();
        return true;
    }
    catch (const std::system_error&)
    {
        return false;
    }
}

} // namespace

Result<std::vector<http::IpAddress>> SystemResolver::resolve(const std::string& host) noexcept
{
    const auto count = running();
    if (count->fetch_add(1) >= lookUpsMax)
    {
        count->fetch_sub(1);
        return Error{ErrorCode::UpstreamUnavailable, "too many look-ups are under way"};
    }
    const auto work = std::make_shared<LookUp>();
    if (!begin(work, host, count))
    {
        count->fetch_sub(1);
        return Error{ErrorCode::UpstreamUnavailable, "there is no thread to look " + host + " up"};
    }
    MutexLock lock(work->mutex);
    const auto end = std::chrono::steady_clock::now() + _limit;
    while (!work->done)
        if (lock.waitFor(work->changed, lookEvery);
            !work->done && (_stopped || std::chrono::steady_clock::now() >= end))
            return Error{ErrorCode::UpstreamUnavailable, host + " could not be looked up in time"};
    if (work->found.empty())
        return Error{ErrorCode::UpstreamUnavailable, "there is no host " + host};
    return work->found;
}

} // namespace octostore::webhooks
