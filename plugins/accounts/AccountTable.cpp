// SPDX-License-Identifier: MIT
#include "AccountTable.h"

#include <octostore/base/Text.h>

namespace octostore::accounts
{

void AccountTable::put(const StoredAccount& account)
{
    MutexLock lock(_mutex);
    const auto [place, added] = _accounts.try_emplace(toLower(account.record.name), account);
    if (!added)
    {
        // Answers of two changes may come in on different threads, the later one first.
        if (account.version < place->second.version)
            return;
        _byToken.erase(place->second.record.tokenDigest);
        place->second = account;
    }
    _byToken.insert_or_assign(account.record.tokenDigest, place);
}

std::optional<StoredAccount> AccountTable::findByToken(const Digest& token) const
{
    MutexLock lock(_mutex);
    const auto found = _byToken.find(token);
    if (found == _byToken.end())
        return std::nullopt;
    return found->second->second;
}

bool AccountTable::hasName(std::string_view name) const
{
    MutexLock lock(_mutex);
    return _accounts.count(toLower(name)) != 0;
}

std::vector<backend::PrincipalRecord> AccountTable::all() const
{
    MutexLock lock(_mutex);
    std::vector<backend::PrincipalRecord> records;
    records.reserve(_accounts.size());
    for (const auto& [name, account] : _accounts)
        records.push_back(account.record);
    return records;
}

std::size_t AccountTable::size() const
{
    MutexLock lock(_mutex);
    return _accounts.size();
}

} // namespace octostore::accounts
