// SPDX-License-Identifier: MIT
#include "Allocator.h"

#include <cstddef>

#include <malloc.h>

extern "C"
{
    /// jemalloc(3); weak: tests and the sanitizers run without it.
    [[gnu::weak]] int mallctl(const char* name, void* old, std::size_t* oldLength, void* fresh,
                              std::size_t freshLength);

    /// jemalloc(3) "TUNING". The busy threads are few, so four arenas do, and what is free goes
    /// back within a second: a server that is idle again should look so.
    [[gnu::visibility("default")]] const char* malloc_conf = "narenas:4,dirty_decay_ms:1000";
}

namespace octostore::program
{

void giveBackFreeMemory() noexcept
{
    // 4096: of all arenas (MALLCTL_ARENAS_ALL).
    if (mallctl != nullptr)
        mallctl("arena.4096.purge", nullptr, nullptr, nullptr, 0);
    else
        malloc_trim(0);
}

} // namespace octostore::program
