// SPDX-License-Identifier: MIT
#include <octostore/http/UserCount.h>

namespace octostore::http
{

std::uint64_t userCount(const std::vector<AuthProvider*>& providers) noexcept
{
    std::uint64_t users = 0;
    for (const AuthProvider* provider : providers)
        users += provider->principals();
    return users;
}

} // namespace octostore::http
