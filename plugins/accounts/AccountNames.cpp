// SPDX-License-Identifier: MIT
#include "AccountNames.h"

#include <algorithm>

namespace octostore::accounts
{

namespace
{

constexpr std::size_t lengthMax = 64;

bool isNameCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

} // namespace

Result<void> checkUserName(std::string_view name)
{
    if (name.empty() || name.size() > lengthMax ||
        !std::all_of(name.begin(), name.end(), isNameCharacter))
        return Error{ErrorCode::InvalidInput,
                     "`username` must be 1 to 64 letters, digits, `_` or `-`."};
    return {};
}

} // namespace octostore::accounts
