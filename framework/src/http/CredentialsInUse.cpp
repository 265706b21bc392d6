// SPDX-License-Identifier: MIT
#include "CredentialsInUse.h"

#include <octostore/http/CredentialCheck.h>

#include <utility>
#include <vector>

namespace octostore::http
{

CredentialCheck::~CredentialCheck() = default;

struct CredentialsInUse::Table
{
    struct Entry
    {
        Identity identity;
        std::list<Use*> uses;
    };

    Mutex mutex;
    std::map<Digest, Entry> entries OCTOSTORE_GUARDED_BY(mutex);
};

/// One request; takes itself out of the table.
struct CredentialsInUse::Use
{
    Use(std::shared_ptr<Table> its, Digest digest, std::shared_ptr<Executor> thread, Task task)
        : table(std::move(its)),
          credential(digest),
          executor(std::move(thread)),
          revoked(std::make_shared<Task>(std::move(task)))
    {
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    ~Use()
    {
        MutexLock lock(table->mutex);
        const auto entry = table->entries.find(credential);
        if (!entered || entry == table->entries.end())
            return;
        entry->second.uses.erase(place);
        if (entry->second.uses.empty())
            table->entries.erase(entry);
    }

    const std::shared_ptr<Table> table;
    const Digest credential;
    const std::shared_ptr<Executor> executor;
    std::shared_ptr<Task> revoked; ///< guarded by the table's mutex; null: it has been posted
    std::list<Use*>::iterator place;
    bool entered = false;
};

CredentialsInUse::CredentialsInUse(const Authenticator& authenticator)
    : _authenticator(authenticator), _table(std::make_shared<Table>())
{
}

bool CredentialsInUse::isAsBefore(const Identity& identity) const
{
    const auto now = _authenticator.identityOf(identity.credential);
    return now && now->principal == identity.principal && now->role == identity.role &&
           now->space == identity.space;
}

CredentialHold CredentialsInUse::enter(const Identity& identity, std::shared_ptr<Executor> executor,
                                       Task revoked)
{
    auto use = std::make_shared<Use>(_table, identity.credential, executor, std::move(revoked));
    {
        MutexLock lock(_table->mutex);
        Table::Entry& entry = _table->entries[identity.credential];
        if (entry.uses.empty())
            entry.identity = identity;
        use->place = entry.uses.insert(entry.uses.end(), use.get());
        use->entered = true;
    }
    // A check between its authentication and now has not seen it.
    if (!isAsBefore(identity))
    {
        std::shared_ptr<Task> task;
        {
            MutexLock lock(_table->mutex);
            task = std::exchange(use->revoked, nullptr);
        }
        if (task)
            executor->post({std::move(*task)});
    }
    return use;
}

void CredentialsInUse::check()
{
    std::vector<Identity> all;
    {
        MutexLock lock(_table->mutex);
        all.reserve(_table->entries.size());
        for (const auto& [digest, entry] : _table->entries)
            all.push_back(entry.identity);
    }
    for (const Identity& identity : all)
    {
        if (isAsBefore(identity))
            continue;
        std::vector<std::pair<std::shared_ptr<Executor>, Task>> ended;
        {
            MutexLock lock(_table->mutex);
            const auto entry = _table->entries.find(identity.credential);
            if (entry == _table->entries.end())
                continue;
            for (Use* use : entry->second.uses)
                if (const auto task = std::exchange(use->revoked, nullptr))
                    ended.emplace_back(use->executor, std::move(*task));
        }
        for (auto& [executor, task] : ended)
            executor->post({std::move(task)});
    }
}

} // namespace octostore::http
