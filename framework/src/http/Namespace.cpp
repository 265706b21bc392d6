// SPDX-License-Identifier: MIT
#include <octostore/http/Namespace.h>

#include <algorithm>

namespace octostore::http
{

namespace
{

constexpr std::size_t namespaceMax = 64;

bool isNamespaceCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
}

} // namespace

Result<std::string> readNamespace(std::string_view written)
{
    const std::size_t first = std::min(written.find_first_not_of('/'), written.size());
    written.remove_prefix(first);
    written = written.substr(0, written.find_last_not_of('/') + 1);
    if (written.size() > namespaceMax ||
        !std::all_of(written.begin(), written.end(), isNamespaceCharacter))
        return Error{ErrorCode::InvalidInput,
                     "`namespace` must be at most 64 letters, digits, `.`, `_` or `-`."};
    return std::string(written);
}

} // namespace octostore::http
