// SPDX-License-Identifier: MIT
#include "Wishes.h"

#include <algorithm>

namespace octostore::program
{

void Wishes::post(Wish wish)
{
    {
        MutexLock lock(_mutex);
        // One of a kind waiting says all: nothing is gained by reading the configuration twice.
        if (std::find(_wishes.begin(), _wishes.end(), wish) == _wishes.end())
            _wishes.push_back(wish);
    }
    _posted.notify_one();
}

Wish Wishes::wait()
{
    MutexLock lock(_mutex);
    while (_wishes.empty())
        lock.wait(_posted);
    const Wish wish = _wishes.front();
    _wishes.pop_front();
    return wish;
}

} // namespace octostore::program
