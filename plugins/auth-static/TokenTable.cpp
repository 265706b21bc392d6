// SPDX-License-Identifier: MIT
#include "TokenTable.h"

#include <octostore/base/Text.h>

#include <map>

namespace octostore::auth
{

Result<TokenTable> TokenTable::make(const std::vector<StaticToken>& tokens)
{
    TokenTable table;
    std::map<std::string, const StaticToken*, std::less<>> names;
    std::map<Digest, const StaticToken*> digests;
    for (const StaticToken& token : tokens)
    {
        if (const auto [other, added] = names.emplace(toLower(token.name), &token); !added)
        {
            return Error{ErrorCode::Configuration, token.origin + ": the name \"" + token.name +
                                                       "\" is already given in " +
                                                       other->second->origin};
        }
        if (const auto [other, added] = digests.emplace(token.token, &token); !added)
        {
            return Error{ErrorCode::Configuration,
                         token.origin + ": \"" + token.name + "\" has the token of \"" +
                             other->second->name + "\" (" + other->second->origin + ")"};
        }
        table._names.insert(toLower(token.name));
        table._identities.emplace(token.token,
                                  http::Identity{http::principalIdOf(token.name), token.name,
                                                 token.role, token.space, token.token});
    }
    return table;
}

std::optional<http::Identity> TokenTable::find(const Digest& token) const
{
    const auto found = _identities.find(token);
    if (found == _identities.end())
        return std::nullopt;
    return found->second;
}

std::vector<http::Account> TokenTable::accounts() const
{
    std::vector<http::Account> all;
    for (const auto& [token, identity] : _identities)
        all.push_back({identity.principal, identity.name, "static", identity.role, identity.space,
                       std::nullopt});
    return all;
}

bool TokenTable::hasName(std::string_view name) const
{
    return _names.count(toLower(name)) != 0;
}

} // namespace octostore::auth
