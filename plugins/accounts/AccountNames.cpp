// SPDX-License-Identifier: MIT
#include "AccountNames.h"

#include <algorithm>

namespace octostore::accounts
{

namespace
{

constexpr std::size_t lengthMax = 64;

bool isLetterOrDigit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool consistsOf(std::string_view text, std::string_view others)
{
    return text.size() <= lengthMax &&
           std::all_of(text.begin(), text.end(),
                       [others](char c)
                       { return isLetterOrDigit(c) || others.find(c) != others.npos; });
}

} // namespace

Result<void> checkUserName(std::string_view name)
{
    if (name.empty() || !consistsOf(name, "_-"))
        return Error{ErrorCode::InvalidInput,
                     "`username` must be 1 to 64 letters, digits, `_` or `-`."};
    return {};
}

Result<std::string> readNamespace(std::string_view written)
{
    const std::size_t first = std::min(written.find_first_not_of('/'), written.size());
    written.remove_prefix(first);
    written = written.substr(0, written.find_last_not_of('/') + 1);
    if (!consistsOf(written, "._-"))
        return Error{ErrorCode::InvalidInput,
                     "`namespace` must be at most 64 letters, digits, `.`, `_` or `-`."};
    return std::string(written);
}

} // namespace octostore::accounts
