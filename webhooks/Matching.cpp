// SPDX-License-Identifier: MIT
#include "Matching.h"

#include <octostore/event/TypePattern.h>
#include <octostore/http/Identity.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace octostore::webhooks
{

namespace
{

using event::ResourceKind;
using event::Type;

/// The side of a change of holder that a fact is about.
const std::optional<event::Holding>& sideOf(const event::Draft& what, Type fact)
{
    const bool grant = fact == Type::LockAcquired || fact == Type::LeaderElected;
    return grant ? what.current : what.previous;
}

bool isOwners(const Webhook& webhook, const std::optional<event::Holding>& side)
{
    return side && http::principalIdOf(side->holder) == webhook.owner;
}

bool wantsType(const Webhook& webhook, Type type)
{
    return std::any_of(webhook.events.begin(), webhook.events.end(),
                       [type](const std::string& pattern) { return matchesType(pattern, type); });
}

bool wantsLock(const Webhook& webhook, std::string_view name)
{
    if (!webhook.lockPattern)
        return true;
    return webhook.format == Format::Legacy ? matchesPrefix(*webhook.lockPattern, name)
                                            : matchesGlob(*webhook.lockPattern, name);
}

bool wantsResource(const Webhook& webhook, const event::Draft& what)
{
    switch (what.kind)
    {
    case ResourceKind::Lock:
        return wantsLock(webhook, what.name);
    case ResourceKind::Election:
        return webhook.format != Format::Legacy &&
               std::any_of(webhook.elections.begin(), webhook.elections.end(),
                           [&](const std::string& room) {
                               return room == what.name ||
                                      (webhook.admin && matchesGlob(room, what.name));
                           });
    case ResourceKind::Webhook:
        // Only when asked for by name: what a delivery leads to must not lead to deliveries.
        return webhook.admin && what.name != webhook.id &&
               std::any_of(webhook.events.begin(), webhook.events.end(),
                           [](const std::string& pattern)
                           { return pattern.starts_with("webhook."); });
    case ResourceKind::Session:
    case ResourceKind::Acl:
    case ResourceKind::Account:
    case ResourceKind::Config:
    case ResourceKind::Server:
    case ResourceKind::Backup:
        break;
    }
    return webhook.admin && webhook.format != Format::Legacy;
}

bool wantsFact(const Webhook& webhook, const event::Draft& what, Type fact)
{
    if (!wantsType(webhook, fact))
        return false;
    return what.kind != ResourceKind::Lock || webhook.admin ||
           isOwners(webhook, sideOf(what, fact));
}

/// By length: whether that much of the name is matched by the pattern as far as it was read.
using Matched = std::vector<bool>;

void takeStar(Matched& matched, std::string_view name, bool across)
{
    for (std::size_t i = 0; i < name.size(); ++i)
        if (matched[i] && (across || name[i] != '/'))
            matched[i + 1] = true;
}

void takeLetter(Matched& matched, std::string_view name, char letter)
{
    for (std::size_t i = name.size(); i > 0; --i)
        matched[i] = matched[i - 1] && name[i - 1] == letter;
    matched.front() = false;
}

} // namespace

bool matchesGlob(std::string_view pattern, std::string_view name) noexcept
{
    const std::size_t plain = std::min(pattern.find('*'), pattern.size());
    if (!name.starts_with(pattern.substr(0, plain)))
        return false;
    pattern.remove_prefix(plain);
    name.remove_prefix(plain);
    // Any account may choose the pattern, so nothing is ever tried twice.
    Matched matched(name.size() + 1, false);
    matched.front() = true;
    while (!pattern.empty())
    {
        const bool star = pattern.front() == '*';
        const bool across = pattern.starts_with("**");
        if (star)
            takeStar(matched, name, across);
        else
            takeLetter(matched, name, pattern.front());
        pattern.remove_prefix(across ? 2 : 1);
    }
    return matched.back();
}

bool matchesPrefix(std::string_view pattern, std::string_view name) noexcept
{
    return pattern.ends_with('*') ? name.starts_with(pattern.substr(0, pattern.size() - 1))
                                  : name == pattern;
}

std::string_view legacyWord(Type fact) noexcept
{
    if (fact == Type::LockAcquired)
        return "acquired";
    if (fact == Type::LockReleased || fact == Type::LockForceReleased)
        return "released";
    return fact == Type::LockExpired ? "expired" : "";
}

bool matchesType(std::string_view pattern, Type type) noexcept
{
    return (!pattern.empty() && pattern == legacyWord(type)) ||
           event::matchesTypeName(pattern, event::typeName(type));
}

bool isEventPattern(std::string_view pattern) noexcept
{
    if (pattern == "renewed")
        return true;
    for (int type = 1; type <= static_cast<int>(event::lastType); ++type)
        if (matchesType(pattern, static_cast<Type>(type)))
            return true;
    return false;
}

std::vector<std::uint8_t> deliveriesOf(const Webhook& webhook, const event::Event& event)
{
    const event::Draft& what = event.what;
    std::vector<std::uint8_t> facts;
    if (!wantsResource(webhook, what))
        return facts;
    for (std::size_t i = 0; i < what.facts.size(); ++i)
        if (wantsFact(webhook, what, what.facts[i]) &&
            (webhook.format != Format::Legacy || !legacyWord(what.facts[i]).empty()))
            facts.push_back(static_cast<std::uint8_t>(i));
    if (webhook.format == Format::Legacy)
        return facts;
    // The type of the whole is neither of its facts: `lock.handed_over`.
    const bool whole =
        !facts.empty() || (wantsType(webhook, what.type) &&
                           (what.kind != ResourceKind::Lock || webhook.admin ||
                            isOwners(webhook, what.previous) || isOwners(webhook, what.current)));
    return whole ? std::vector<std::uint8_t>{0} : std::vector<std::uint8_t>();
}

} // namespace octostore::webhooks
