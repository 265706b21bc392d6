// SPDX-License-Identifier: MIT
#include "MemoryStore.h"

#include <octostore/backend/Codec.h>

#include <algorithm>
#include <utility>

namespace octostore::memory
{

using backend::Condition;

backend::Outcome MemoryStore::commit(backend::Transaction transaction)
{
    const backend::TransactionId id = transaction.id;
    if (!backend::isWellFormed(transaction))
        return {id, backend::Failed{{ErrorCode::Unavailable, "The transaction is malformed."}}};

    MutexLock lock(_mutex);
    backend::Conflict conflict;
    for (const Condition& condition : transaction.conditions)
    {
        if (!holds(condition))
            conflict.current.push_back(find(condition.key));
        // Absent as of now: so that a server that has heard of something later keeps that.
        if (isShared() && !conflict.current.empty() &&
            conflict.current.back().version == Revision())
            conflict.current.back().version = _revision;
    }
    if (!conflict.current.empty())
        return {id, std::move(conflict)};
    return {id, backend::Committed{apply(std::move(transaction))}};
}

bool MemoryStore::holds(const Condition& condition) const
{
    const auto found = _records.find(condition.key);
    const bool present = found != _records.end();
    switch (condition.kind)
    {
    case Condition::Kind::Absent:
        return !present;
    case Condition::Kind::AtVersion:
        return present && found->second.version == condition.version;
    case Condition::Kind::Present:
        return present;
    }
    return false;
}

backend::Record MemoryStore::find(const backend::Key& key) const
{
    const auto found = _records.find(key);
    if (found == _records.end())
        return {key, {}, Revision{}};
    return {key, found->second.value, found->second.version};
}

Revision MemoryStore::apply(backend::Transaction transaction)
{
    _revision = Revision(_revision.value() + 1);
    for (backend::Put& record : transaction.puts)
        put(std::move(record));
    for (const backend::Key& key : transaction.erasures)
        erase(key);
    if (transaction.event)
    {
        backend::stamp(*transaction.event, _revision);
        _journal.emplace(Sequence(_revision.value()), std::move(*transaction.event));
    }
    return _revision;
}

void MemoryStore::put(backend::Put record)
{
    backend::stamp(record.value, _revision);
    if (_remembers)
        _changes.push_back({record.key, record.value, _revision});
    _records.insert_or_assign(std::move(record.key), Stored{std::move(record.value), _revision});
}

void MemoryStore::erase(const backend::Key& key)
{
    _records.erase(key);
    if (_remembers)
        _changes.push_back({key, {}, _revision});
}

std::vector<backend::Record> MemoryStore::read(const std::vector<backend::Key>& keys) const
{
    std::vector<backend::Record> found;
    found.reserve(keys.size());
    MutexLock lock(_mutex);
    for (const backend::Key& key : keys)
        found.push_back(find(key));
    return found;
}

MemoryStore::Snapshot MemoryStore::snapshot() const
{
    MutexLock lock(_mutex);
    Snapshot result;
    result.records.reserve(_records.size());
    for (const auto& [key, stored] : _records)
        result.records.push_back({key, stored.value, stored.version});
    result.revision = _revision;
    return result;
}

Revision MemoryStore::load(const backend::RecordSink& sink) const
{
    Snapshot all = snapshot();
    for (backend::Record& record : all.records)
        sink(std::move(record));
    return all.revision;
}

Revision MemoryStore::revision() const
{
    MutexLock lock(_mutex);
    return _revision;
}

MemoryStore::Changes MemoryStore::changes(Revision after) const
{
    MutexLock lock(_mutex);
    const auto first = std::upper_bound(_changes.begin(), _changes.end(), after,
                                        [](Revision revision, const backend::Record& record)
                                        { return revision < record.version; });
    return {{first, _changes.end()}, _revision};
}

MemoryStore::Image MemoryStore::image() const
{
    MutexLock lock(_mutex);
    return {_records, _journal, _revision};
}

backend::RestoreReport MemoryStore::putBack(Image image, const backend::RestoreOrder& order)
{
    MutexLock lock(_mutex);
    _records = std::move(image.records);
    _journal = std::move(image.journal);
    std::erase_if(_changes, [&image](const backend::Record& record)
                  { return record.version > image.revision; });
    _revision = Revision(image.revision.value() + order.skip);
    // Unlike a commit this need not be well-formed, nor does it cost a revision.
    for (const backend::Key& key : order.erasures)
        erase(key);
    for (const backend::Put& record : order.puts)
        put(record);
    return {image.revision, _revision, {}};
}

std::vector<event::Event> MemoryStore::events(Sequence after, std::size_t limit) const
{
    std::vector<event::Event> found;
    MutexLock lock(_mutex);
    for (auto entry = _journal.upper_bound(after); entry != _journal.end() && found.size() < limit;
         ++entry)
        found.push_back({entry->first, entry->second});
    return found;
}

void MemoryStore::trimEvents(Sequence upTo)
{
    MutexLock lock(_mutex);
    _journal.erase(_journal.begin(), _journal.upper_bound(upTo));
}

} // namespace octostore::memory
