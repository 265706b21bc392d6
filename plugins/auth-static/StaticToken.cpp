// SPDX-License-Identifier: MIT
#include "StaticToken.h"

#include <octostore/base/Text.h>

#include <algorithm>

namespace octostore::auth
{

Error wrong(const std::string& origin, std::string_view what)
{
    return {ErrorCode::Configuration, origin + ": " + std::string(what)};
}

namespace
{

bool hasBlank(std::string_view text)
{
    return text.find_first_of(" \t\r\n\v\f") != std::string_view::npos;
}

/// Calls `take` for each part of `text`; stops at the first error.
template <class Take>
Result<void> forEachPart(std::string_view text, char separator, const Take& take)
{
    while (true)
    {
        const std::size_t end = std::min(text.find(separator), text.size());
        if (auto taken = take(trim(text.substr(0, end))); !taken)
            return taken;
        if (end == text.size())
            return {};
        text.remove_prefix(end + 1);
    }
}

Result<StaticToken> parseEntry(std::string_view entry, std::string origin)
{
    const std::size_t colon = entry.find(':');
    if (colon == std::string_view::npos)
    {
        // Shown by its place only: what stands here is most likely a secret.
        return wrong(origin, "an entry without a colon; write name:token");
    }
    return makeToken(trim(entry.substr(0, colon)), trim(entry.substr(colon + 1)),
                     std::move(origin));
}

} // namespace

Result<StaticToken> makeToken(std::string_view name, std::string_view token, std::string origin)
{
    if (name.empty())
        return wrong(origin, "an entry with an empty name; write name:token");
    if (token.empty())
        return wrong(origin, "the token of \"" + std::string(name) + "\" is empty");
    if (hasBlank(token))
        return wrong(origin, "the token of \"" + std::string(name) + "\" has a blank in it");
    if (!isUtf8(name))
        return wrong(origin, "a name is not UTF-8");
    return StaticToken{std::string(name), sha256(token), http::Role::User, {}, std::move(origin)};
}

Result<std::vector<StaticToken>> parseTokens(std::string_view text, std::string_view origin)
{
    std::vector<StaticToken> tokens;
    std::size_t lineNumber = 0;
    const auto takeLine = [&](std::string_view line) -> Result<void>
    {
        ++lineNumber;
        if (line.substr(0, 1) == "#")
            return {};
        const std::string place = std::string(origin) + " line " + std::to_string(lineNumber);
        return forEachPart(line, ',',
                           [&](std::string_view entry) -> Result<void>
                           {
                               if (entry.empty() || entry.front() == '#')
                                   return {};
                               auto token = parseEntry(entry, place);
                               if (!token)
                                   return token.error();
                               tokens.push_back(*std::move(token));
                               return {};
                           });
    };
    if (auto parsed = forEachPart(text, '\n', takeLine); !parsed)
        return parsed.error();
    if (tokens.empty())
        return wrong(std::string(origin), "it is set but has no entry name:token");
    return tokens;
}

} // namespace octostore::auth
