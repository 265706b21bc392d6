// SPDX-License-Identifier: MIT
#include <octostore/coordination/Name.h>
#include <octostore/http/LockAccess.h>

namespace octostore::http
{

std::string lockPrefixOf(const Identity& caller)
{
    if (caller.space.empty() || caller.role == Role::Admin)
        return {};
    return caller.space + ".";
}

Result<void> checkMayUse(std::string_view name, const Identity& caller)
{
    if (coordination::isReservedLockName(name))
        return Error{ErrorCode::Forbidden, "Names that start with `__election/` or `__octostore/` "
                                           "belong to the server."};
    const std::string prefix = lockPrefixOf(caller);
    if (!name.starts_with(prefix))
        return Error{ErrorCode::Forbidden, "Your lock names start with `" + prefix + "`."};
    return {};
}

} // namespace octostore::http
