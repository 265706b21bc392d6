// SPDX-License-Identifier: MIT
/// @file
/// Which events somebody asks for, and which of them they may see.
#pragma once

#include <octostore/base/Result.h>
#include <octostore/event/Event.h>
#include <octostore/http/Identity.h>
#include <octostore/http/Query.h>

#include <bitset>
#include <optional>
#include <string>

namespace octostore::watches
{

/// Observers and administrators see everything; others the locks and access lists of their
/// namespace, what is about their own account, sessions and webhooks, and a room whose ID they
/// name. Thread-safety: immutable.
class EventFilter
{
public:
    /// From `type` and `resource`. Errors: InvalidInput; Forbidden, the caller may see nothing of
    /// that.
    static Result<EventFilter> read(const http::Query& query, const http::Identity& caller);

    bool matches(const event::Event& event) const;

private:
    explicit EventFilter(http::Identity caller);

    Result<void> setType(const std::string& pattern);
    Result<void> setResource(const std::string& text);
    Result<void> checkAllowed() const;
    bool isSeenByAll() const noexcept { return _caller.role != http::Role::User; }
    bool maySee(const event::Draft& what) const;
    bool isOwn(const event::Draft& what) const;

    http::Identity _caller;
    std::string _lockPrefix;
    std::bitset<64> _types; ///< those asked for
    std::optional<event::ResourceKind> _kind;
    std::string _name;
    bool _prefix = false; ///< `_name` is only a beginning
};

} // namespace octostore::watches
