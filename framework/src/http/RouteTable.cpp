// SPDX-License-Identifier: MIT
#include "RouteTable.h"

#include <octostore/base/Text.h>

#include <algorithm>
#include <utility>

namespace octostore::http
{

namespace
{

std::vector<std::string_view> split(std::string_view path)
{
    std::vector<std::string_view> segments;
    segments.reserve(8);
    while (true)
    {
        const std::size_t slash = path.find('/');
        segments.push_back(path.substr(0, slash));
        if (slash == std::string_view::npos)
            return segments;
        path.remove_prefix(slash + 1);
    }
}

Error badPattern(std::string_view pattern, const char* why)
{
    return {ErrorCode::Configuration, "route `" + std::string(pattern) + "`: " + why};
}

} // namespace

Result<RouteTable> RouteTable::build(std::vector<Route> routes)
{
    RouteTable table;
    for (Route& route : routes)
    {
        if (auto added = table.add(std::move(route)); !added)
            return added.error();
    }
    for (auto& [first, groups] : table._groups)
    {
        for (Group& group : groups)
        {
            for (const Entry* entry : group.entries)
            {
                if (entry == nullptr)
                    continue;
                group.allow.append(group.allow.empty() ? "" : ",");
                group.allow.append(methodName(entry->route.method));
                if (entry->route.method == Method::Get)
                    group.allow.append(",HEAD");
            }
        }
    }
    return table;
}

Result<void> RouteTable::add(Route route)
{
    auto pattern = parse(route.pattern);
    if (!pattern)
        return pattern.error();
    if (route.method == Method::Head || route.method == Method::Options ||
        route.method == Method::Other)
        return badPattern(route.pattern, "HEAD and OPTIONS are answered for every route");

    std::vector<Group>& groups = _groups[pattern->front().text];
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const Group& g) { return sameShape(g.pattern, *pattern); });
    if (group == groups.end())
        group = groups.insert(groups.end(), Group{*pattern, {}, {}});
    const Entry*& slot = group->entries[static_cast<std::size_t>(route.method)];
    if (slot != nullptr)
        return badPattern(route.pattern, "another route has this method and path");
    slot = &_entries.emplace_back(Entry{std::move(*pattern), std::move(route)});
    return {};
}

Result<RouteTable::Pattern> RouteTable::parse(std::string_view text)
{
    if (text.substr(0, 1) != "/")
        return badPattern(text, "must begin with a slash");
    Pattern pattern;
    std::size_t rests = 0;
    for (std::string_view part : split(text.substr(1)))
    {
        if (part.find_first_of("{}") == std::string_view::npos)
        {
            pattern.push_back({Kind::Literal, std::string(part)});
            continue;
        }
        if (part.size() < 3 || part.front() != '{' || part.back() != '}')
            return badPattern(text, "a parameter is one whole segment");
        part = part.substr(1, part.size() - 2);
        const bool rest = part.size() > 3 && part.substr(part.size() - 3) == "...";
        if (rest)
            part.remove_suffix(3);
        rests += rest ? 1 : 0;
        pattern.push_back({rest ? Kind::Rest : Kind::Value, std::string(part)});
    }
    if (pattern.front().kind != Kind::Literal)
        return badPattern(text, "must begin with a literal segment");
    if (rests > 1)
        return badPattern(text, "at most one parameter takes several segments");
    return pattern;
}

bool RouteTable::sameShape(const Pattern& a, const Pattern& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Segment& x, const Segment& y) {
                          return x.kind == y.kind && (x.kind != Kind::Literal || x.text == y.text);
                      });
}

/// How many segments of the path the pattern's Rest takes; the pattern must fit.
std::size_t RouteTable::restLength(const Pattern& pattern, std::size_t segments)
{
    return segments - pattern.size() + 1;
}

/// The part of the pattern that stands for the path's segment `index`; the pattern must fit.
const RouteTable::Segment& RouteTable::segmentAt(const Pattern& pattern, std::size_t index,
                                                 std::size_t segments)
{
    const std::size_t extra = segments - pattern.size();
    std::size_t rest = 0;
    while (rest < pattern.size() && pattern[rest].kind != Kind::Rest)
        ++rest;
    if (index <= rest)
        return pattern[index];
    return index <= rest + extra ? pattern[rest] : pattern[index - extra];
}

bool RouteTable::matches(const Pattern& pattern, const Path& path)
{
    const bool hasRest = std::any_of(pattern.begin(), pattern.end(),
                                     [](const Segment& s) { return s.kind == Kind::Rest; });
    if (path.size() < pattern.size() || (path.size() > pattern.size() && !hasRest))
        return false;
    for (std::size_t i = 0; i < path.size(); ++i)
    {
        const Segment& segment = segmentAt(pattern, i, path.size());
        if (segment.kind == Kind::Literal && segment.text != path[i])
            return false;
    }
    // A slash at the end is no empty name: `/locks/x/` and `/locks/` do not exist.
    return pattern.back().kind == Kind::Literal || !path.back().empty();
}

/// Both match a path of so many segments.
bool RouteTable::precedes(const Pattern& a, const Pattern& b, std::size_t segments)
{
    for (std::size_t i = segments; i-- > 0;)
    {
        const Kind kindA = segmentAt(a, i, segments).kind;
        const Kind kindB = segmentAt(b, i, segments).kind;
        if (kindA != kindB)
            return kindA < kindB;
    }
    return false;
}

const RouteTable::Group* RouteTable::best(const Path& path) const
{
    const auto groups = _groups.find(path.front());
    if (groups == _groups.end())
        return nullptr;
    const Group* found = nullptr;
    for (const Group& group : groups->second)
    {
        if (matches(group.pattern, path) &&
            (found == nullptr || precedes(group.pattern, found->pattern, path.size())))
            found = &group;
    }
    return found;
}

Result<Exchange::Parameters> RouteTable::capture(const Pattern& pattern, const Path& path)
{
    Exchange::Parameters parameters;
    std::size_t at = 0;
    for (const Segment& segment : pattern)
    {
        const std::size_t length =
            segment.kind == Kind::Rest ? restLength(pattern, path.size()) : 1;
        const std::string_view& first = path[at];
        const std::string_view& last = path[at + length - 1];
        at += length;
        if (segment.kind == Kind::Literal)
            continue;
        // Neighbouring segments lie in one text with their slashes between them.
        const std::string_view raw(
            first.data(), static_cast<std::size_t>(last.data() + last.size() - first.data()));
        std::optional<std::string> value = percentDecode(raw);
        if (!value || !isUtf8(*value))
            return Error{ErrorCode::Malformed,
                         "The path has a broken percent escape or is not UTF-8."};
        parameters.emplace(segment.text, std::move(*value));
    }
    return parameters;
}

Result<RouteTable::Found> RouteTable::find(Method method, std::string_view path) const
{
    const Error unknown{ErrorCode::NotFound, "There is nothing at this path."};
    if (path.substr(0, 1) != "/")
        return unknown;
    const Path segments = split(path.substr(1));
    const Group* group = best(segments);
    if (group == nullptr)
        return unknown;

    Found found;
    found.allow = group->allow;
    const Method wanted = method == Method::Head ? Method::Get : method;
    const Entry* entry = group->entries[static_cast<std::size_t>(wanted)];
    if (entry == nullptr)
        return found;
    auto parameters = capture(entry->pattern, segments);
    if (!parameters)
        return parameters.error();
    found.route = &entry->route;
    found.parameters = std::move(*parameters);
    return found;
}

} // namespace octostore::http
