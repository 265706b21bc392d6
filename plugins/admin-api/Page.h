// SPDX-License-Identifier: MIT
/// @file
/// One page of a sorted list.
#pragma once

#include "ListQuery.h"

#include <octostore/base/Json.h>
#include <octostore/base/Time.h>
#include <octostore/http/Message.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::admin_api
{

/// Sorts the items that were let through and cuts a page out of them.
/// Thread-safety: thread-compatible.
class Page
{
public:
    /// Writes the item of this index. Without a time what only counts down is null, so that two
    /// answers can be compared.
    using Write = std::function<void(JsonWriter&, std::size_t, std::optional<BootTime>)>;

    explicit Page(const ListQuery& query) : _query(query) {}

    /// An item that the query lets through. `key` is what it is sorted by, `name` is unique.
    void add(std::string_view key, std::string_view name, std::size_t index);
    void add(std::uint64_t key, std::string_view name, std::size_t index);
    void add(std::optional<WallTime> key, std::string_view name, std::size_t index);

    /// `{items, total, next}` with a weak ETag; 304 when `known` (the If-None-Match header, or
    /// null) has it. Call it once.
    http::Response answer(const Write& write, BootTime now, const std::string* known);

private:
    struct Place
    {
        std::string place;
        std::size_t index;
    };
    std::string json(const Write& write, std::optional<BootTime> now) const;

    const ListQuery& _query;
    std::vector<Place> _places;
    std::size_t _total = 0;
    std::optional<std::string> _next;
};

/// A JSON answer with a weak ETag made of `compared`; 304 when `known` has that.
http::Response taggedAnswer(std::string json, std::string_view compared, const std::string* known);

/// The text, or null.
JsonWriter& optionalField(JsonWriter& json, std::string_view key, const std::string& text);
JsonWriter& optionalField(JsonWriter& json, std::string_view key, std::optional<WallTime> time);
/// Milliseconds from `now` to `deadline`; null without `now`.
JsonWriter& remainingField(JsonWriter& json, BootTime deadline, std::optional<BootTime> now);

} // namespace octostore::admin_api
