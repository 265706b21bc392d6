// SPDX-License-Identifier: MIT
#include <octostore/base/Assert.h>

#include <cstdio>
#include <cstdlib>

namespace octostore
{

void assertionFailed(const char* condition, const char* file, int line) noexcept
{
    std::fprintf(stderr, "%s:%d: broken invariant: %s\n", file, line, condition);
    std::abort();
}

} // namespace octostore
