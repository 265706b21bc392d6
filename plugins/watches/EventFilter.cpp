// SPDX-License-Identifier: MIT
#include "EventFilter.h"

#include <octostore/base/Text.h>
#include <octostore/coordination/Name.h>
#include <octostore/event/TypePattern.h>
#include <octostore/http/LockAccess.h>

#include <algorithm>
#include <utility>

namespace octostore::watches
{

namespace
{

using event::ResourceKind;
using event::Type;

constexpr auto lastKind = ResourceKind::Backup;

std::size_t indexOf(Type type) noexcept
{
    return static_cast<std::size_t>(type);
}

std::optional<ResourceKind> kindOf(std::string_view name) noexcept
{
    for (auto kind = static_cast<int>(ResourceKind::Lock); kind <= static_cast<int>(lastKind);
         ++kind)
        if (event::resourceKindName(static_cast<ResourceKind>(kind)) == name)
            return static_cast<ResourceKind>(kind);
    return std::nullopt;
}

} // namespace

EventFilter::EventFilter(http::Identity caller)
    : _caller(std::move(caller)), _lockPrefix(http::lockPrefixOf(_caller))
{
    static_assert(static_cast<std::size_t>(event::lastType) < 64);
    _types.set();
}

Result<EventFilter> EventFilter::read(const http::Query& query, const http::Identity& caller)
{
    EventFilter filter(caller);
    if (const std::string* type = query.find("type"))
        if (const auto done = filter.setType(*type); !done)
            return done.error();
    if (const std::string* resource = query.find("resource"))
        if (const auto done = filter.setResource(*resource); !done)
            return done.error();
    if (const auto allowed = filter.checkAllowed(); !allowed)
        return allowed.error();
    return filter;
}

Result<void> EventFilter::setType(const std::string& pattern)
{
    _types.reset();
    for (std::size_t i = 1; i <= indexOf(event::lastType); ++i)
        _types[i] = event::matchesTypeName(pattern, event::typeName(static_cast<Type>(i)));
    if (_types.none())
        return Error{ErrorCode::InvalidInput,
                     "`type` matches no type of event; write for example `lock.acquired` or "
                     "`election.*`."};
    return {};
}

Result<void> EventFilter::setResource(const std::string& text)
{
    const auto colon = text.find(':');
    _kind = kindOf(std::string_view(text).substr(0, colon));
    if (colon == std::string::npos || !_kind)
        return Error{ErrorCode::InvalidInput,
                     "`resource` is kind:name or kind:prefix*, for example `lock:jobs/*`."};
    _name = text.substr(colon + 1);
    _prefix = _name.ends_with('*');
    if (_prefix)
        _name.pop_back();
    if (_name.empty() && !_prefix)
        return Error{ErrorCode::InvalidInput, "`resource` has no name behind its kind."};
    return {};
}

Result<void> EventFilter::checkAllowed() const
{
    if (isSeenByAll() || !_kind)
        return {};
    switch (*_kind)
    {
    case ResourceKind::Election:
        if (_prefix)
            return Error{ErrorCode::Forbidden, "Name the room whole: `election:ID`."};
        return {};
    case ResourceKind::Config:
    case ResourceKind::Server:
    case ResourceKind::Backup:
        return Error{ErrorCode::Forbidden, "Only observers and administrators may see these."};
    case ResourceKind::Lock:
    case ResourceKind::Acl:
    case ResourceKind::Session:
    case ResourceKind::Webhook:
    case ResourceKind::Account:
        return {};
    }
    return {};
}

bool EventFilter::matches(const event::Event& event) const
{
    const event::Draft& what = event.what;
    if (_kind &&
        (*_kind != what.kind || (_prefix ? !what.name.starts_with(_name) : what.name != _name)))
        return false;
    const bool type = _types[indexOf(what.type)] ||
                      std::any_of(what.facts.begin(), what.facts.end(),
                                  [this](Type fact) { return _types[indexOf(fact)]; });
    return type && maySee(what);
}

bool EventFilter::maySee(const event::Draft& what) const
{
    if (isSeenByAll())
        return true;
    switch (what.kind)
    {
    case ResourceKind::Lock:
    case ResourceKind::Acl:
        return what.name.starts_with(_lockPrefix) && !coordination::isReservedLockName(what.name);
    case ResourceKind::Election:
        return _kind && !_prefix; // its ID was named
    case ResourceKind::Session:
    case ResourceKind::Webhook:
        return isOwn(what);
    case ResourceKind::Account:
        return equalIgnoringCase(what.name, _caller.name);
    case ResourceKind::Config:
    case ResourceKind::Server:
    case ResourceKind::Backup:
        return false;
    }
    return false;
}

bool EventFilter::isOwn(const event::Draft& what) const
{
    const auto isCaller = [this](const std::optional<event::Holding>& holding)
    { return holding && holding->holder == _caller.name; };
    return isCaller(what.previous) || isCaller(what.current) ||
           (what.actor.kind == event::ActorKind::User && what.actor.name == _caller.name);
}

} // namespace octostore::watches
