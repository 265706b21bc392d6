// SPDX-License-Identifier: MIT
#include "StreamLimits.h"

namespace octostore::watches
{

namespace
{

constexpr unsigned ownStreamsRetrySeconds = 30;
constexpr unsigned allStreamsRetrySeconds = 1;

StreamLimits::Refusal refusal(unsigned retryAfter, std::string why)
{
    http::ErrorDetails details;
    details.retryAfterSeconds = retryAfter;
    return {{ErrorCode::RateLimited, std::move(why)}, details};
}

template <class Key>
void takeBack(std::map<Key, std::size_t>& counts, const Key& key)
{
    const auto found = counts.find(key);
    if (--found->second == 0)
        counts.erase(found);
}

} // namespace

struct StreamLimits::Counts
{
    Mutex mutex;
    std::size_t rooms OCTOSTORE_GUARDED_BY(mutex) = 0;
    std::map<http::IpAddress::Bytes, std::size_t> byClient OCTOSTORE_GUARDED_BY(mutex);
    std::map<PrincipalId, std::size_t> byCaller OCTOSTORE_GUARDED_BY(mutex);
};

StreamLimits::StreamLimits() : _counts(std::make_shared<Counts>()) {}

StreamLimits::Admission StreamLimits::admitToRoom(const http::IpAddress& client,
                                                  const Settings& settings)
{
    MutexLock lock(_counts->mutex);
    const auto found = _counts->byClient.find(client.bytes());
    if (found != _counts->byClient.end() && found->second >= settings.roomStreamsPerClient)
        return refusal(ownStreamsRetrySeconds,
                       "This address has as many election watches open as one may have.");
    if (_counts->rooms >= settings.roomStreamsGlobal)
        return refusal(allStreamsRetrySeconds, "The server has no election watches left.");
    ++_counts->rooms;
    ++_counts->byClient[client.bytes()];
    return Place(_counts.get(),
                 [counts = _counts, key = client.bytes()](const void*)
                 {
                     MutexLock given(counts->mutex);
                     --counts->rooms;
                     takeBack(counts->byClient, key);
                 });
}

StreamLimits::Admission StreamLimits::admit(PrincipalId caller, const Settings& settings)
{
    MutexLock lock(_counts->mutex);
    const auto found = _counts->byCaller.find(caller);
    if (found != _counts->byCaller.end() && found->second >= settings.streamsPerPrincipal)
        return refusal(ownStreamsRetrySeconds,
                       "This account has as many streams open as one may have.");
    ++_counts->byCaller[caller];
    return Place(_counts.get(),
                 [counts = _counts, caller](const void*)
                 {
                     MutexLock given(counts->mutex);
                     takeBack(counts->byCaller, caller);
                 });
}

} // namespace octostore::watches
