// SPDX-License-Identifier: MIT
/// @file
/// The watches of locks and rooms, and the journal, over HTTP.
#pragma once

#include "LiveStream.h"
#include "Settings.h"
#include "StreamLimits.h"

#include <octostore/base/Mutex.h>
#include <octostore/http/Query.h>
#include <octostore/http/Route.h>

#include <memory>
#include <vector>

namespace octostore::watches
{

/// Thread-safety: thread-safe; handlers run on the exchange's thread.
class WatchRoutes
{
public:
    /// This object must outlive every exchange.
    WatchRoutes(const Surroundings& around, Settings settings);

    std::vector<http::Route> routes();
    void set(Settings settings) OCTOSTORE_EXCLUDES(_mutex);

private:
    void watchLock(const http::ExchangePtr& exchange);
    void watchRoom(const http::ExchangePtr& exchange);
    void events(const http::ExchangePtr& exchange);
    /// A place for one more stream of the caller; null, and answered, when there is none.
    StreamLimits::Place placeFor(const http::ExchangePtr& exchange,
                                 StreamLimits::Admission admission);
    std::shared_ptr<const Settings> settings() const OCTOSTORE_EXCLUDES(_mutex);

    const Surroundings _around;
    StreamLimits _limits;
    mutable Mutex _mutex;
    std::shared_ptr<const Settings> _settings OCTOSTORE_GUARDED_BY(_mutex);
};

} // namespace octostore::watches
