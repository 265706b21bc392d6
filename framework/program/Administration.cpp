// SPDX-License-Identifier: MIT
#include "Administration.h"

#include <utility>

namespace octostore::program
{

namespace
{

Error stopping()
{
    return {ErrorCode::Draining, "The server is stopping."};
}

} // namespace

void Administration::reload(plugin::ReloadOrder order, Reloaded done) noexcept
{
    bool refused = false;
    {
        MutexLock lock(_mutex);
        refused = _closed;
        if (!refused)
            _pending.push_back({std::move(order), std::move(done)});
    }
    if (refused)
        return done(stopping());
    _wishes.post(Wish::Reload);
}

std::shared_ptr<const std::vector<config::Entry>> Administration::configuration() const noexcept
{
    MutexLock lock(_mutex);
    return _shown;
}

std::vector<Administration::Pending> Administration::takeReloads()
{
    MutexLock lock(_mutex);
    return std::exchange(_pending, {});
}

void Administration::show(const config::Configuration& current)
{
    auto entries = std::make_shared<const std::vector<config::Entry>>(current.entries());
    MutexLock lock(_mutex);
    _shown = std::move(entries);
}

void Administration::close()
{
    {
        MutexLock lock(_mutex);
        _closed = true;
    }
    for (const Pending& waiting : takeReloads())
        waiting.done(stopping());
}

} // namespace octostore::program
