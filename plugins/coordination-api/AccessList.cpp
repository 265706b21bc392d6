// SPDX-License-Identifier: MIT
#include "AccessList.h"

#include <octostore/base/Digest.h>
#include <octostore/base/Text.h>

#include <algorithm>
#include <string_view>

namespace octostore::coordination_api
{

namespace
{

constexpr std::string_view userPrefix = "user:";
constexpr std::string_view tokenPrefix = "token:";
constexpr std::size_t entriesMax = 100;
constexpr std::size_t entryBytesMax = 256;

std::string storedUser(std::string_view name)
{
    return std::string(userPrefix) + toLower(name);
}

std::string storedToken(const Digest& token)
{
    return std::string(tokenPrefix) + toHex(token);
}

Result<std::string> readEntry(std::string_view written, std::size_t position)
{
    const std::string_view entry = trim(written);
    const std::string place = "Entry " + std::to_string(position) + " of `acquire` ";
    if (entry.size() > entryBytesMax)
        return Error{ErrorCode::InvalidInput,
                     place + "is longer than " + std::to_string(entryBytesMax) + " bytes."};
    const bool user = entry.starts_with(userPrefix);
    if (!user && !entry.starts_with(tokenPrefix))
        return Error{ErrorCode::InvalidInput,
                     place + "is neither `user:<name>` nor `token:<bearer token>`."};
    const std::string_view value = entry.substr(user ? userPrefix.size() : tokenPrefix.size());
    if (value.empty())
        return Error{ErrorCode::InvalidInput, place + "names nobody."};
    return user ? storedUser(value) : storedToken(sha256(value));
}

} // namespace

Result<AccessList> readAccessList(const std::vector<std::string>& entries)
{
    if (entries.empty() || entries.size() > entriesMax)
        return Error{ErrorCode::InvalidInput,
                     "`acquire` must have 1 to " + std::to_string(entriesMax) + " entries."};
    AccessList list;
    for (const std::string& written : entries)
    {
        Result<std::string> entry = readEntry(written, list.size() + 1);
        if (!entry)
            return entry.error();
        list.push_back(*std::move(entry));
    }
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
}

std::vector<std::string> namesInAccessLists(const http::Identity& caller)
{
    return {storedUser(caller.name), storedToken(caller.credential)};
}

void writeAccessList(JsonWriter& json, const AccessList& list)
{
    json.beginObject().key("acquire").beginArray();
    for (const std::string& entry : list)
        json.value(entry.starts_with(tokenPrefix) ? std::string_view("token:[redacted]")
                                                  : std::string_view(entry));
    json.endArray().endObject();
}

} // namespace octostore::coordination_api
