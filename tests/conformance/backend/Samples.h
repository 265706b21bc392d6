// SPDX-License-Identifier: MIT
/// @file
/// Records, events and transactions to try a backend with.
#pragma once

#include <octostore/backend/Transaction.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace octostore::test
{

inline backend::Key leaseKey(std::string name)
{
    return {backend::Collection::Lease, std::move(name)};
}
inline backend::Key metaKey(std::string name)
{
    return {backend::Collection::Meta, std::move(name)};
}

/// A lease with a value in every field; `seed` makes them differ. Its term is `term`.
backend::LeaseRecord sampleLease(std::uint8_t seed, Term term = Term{});
/// A record of `collection` with a value in every field.
backend::Value sampleValue(backend::Collection collection, std::uint8_t seed = 1);
/// Every collection there is.
const std::vector<backend::Collection>& allCollections();
/// An event with a value in every field, whose current holding has term 0.
event::Draft sampleEvent(std::string name);

inline backend::Condition absent(backend::Key key)
{
    return {std::move(key), backend::Condition::Kind::Absent, {}};
}
inline backend::Condition present(backend::Key key)
{
    return {std::move(key), backend::Condition::Kind::Present, {}};
}
inline backend::Condition atVersion(backend::Key key, Revision version)
{
    return {std::move(key), backend::Condition::Kind::AtVersion, version};
}

/// A transaction, part by part; the suite gives it its id.
class Draft
{
public:
    Draft& priority(Priority priority)
    {
        _transaction.priority = priority;
        return *this;
    }
    Draft& when(backend::Condition condition)
    {
        _transaction.conditions.push_back(std::move(condition));
        return *this;
    }
    Draft& put(backend::Key key, backend::Value value)
    {
        _transaction.puts.push_back({std::move(key), std::move(value)});
        return *this;
    }
    Draft& erase(backend::Key key)
    {
        _transaction.erasures.push_back(std::move(key));
        return *this;
    }
    Draft& event(event::Draft draft)
    {
        _transaction.event = std::move(draft);
        return *this;
    }
    operator backend::Transaction() const { return _transaction; }

private:
    backend::Transaction _transaction;
};

inline backend::Value metaValue(std::string text)
{
    return backend::MetaRecord{std::move(text)};
}

} // namespace octostore::test
