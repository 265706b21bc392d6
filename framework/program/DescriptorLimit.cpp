// SPDX-License-Identifier: MIT
#include "DescriptorLimit.h"

#include <sys/resource.h>

namespace octostore::program
{

std::uint64_t raiseDescriptorLimit() noexcept
{
    rlimit limit = {};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 0;
    rlimit raised = limit;
    raised.rlim_cur = limit.rlim_max;
    return setrlimit(RLIMIT_NOFILE, &raised) == 0 ? raised.rlim_cur : limit.rlim_cur;
}

} // namespace octostore::program
