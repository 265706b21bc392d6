// SPDX-License-Identifier: MIT
/// @file
/// Which route a path and a method mean.
#pragma once

#include <octostore/base/Result.h>
#include <octostore/http/Exchange.h>
#include <octostore/http/Route.h>

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::http
{

/// Matching is over raw segments; see Route. Thread-safety: immutable.
class RouteTable
{
public:
    struct Found
    {
        /// Null: the path exists, but not with this method; `allow` says with which.
        const Route* route = nullptr;
        std::string_view allow;
        Exchange::Parameters parameters;
    };

    /// Errors: Configuration when a pattern is malformed or comes twice with one method.
    static Result<RouteTable> build(std::vector<Route> routes);

    /// Errors: NotFound; Malformed when a parameter has a broken escape or is not UTF-8.
    Result<Found> find(Method method, std::string_view path) const;

private:
    enum class Kind : std::uint8_t // in order of precedence
    {
        Literal,
        Value,
        Rest,
    };
    struct Segment
    {
        Kind kind;
        std::string text; ///< the literal, or the name of the parameter
    };
    using Pattern = std::vector<Segment>;
    using Path = std::vector<std::string_view>;
    struct Entry
    {
        Pattern pattern;
        Route route;
    };
    /// The routes of one path: patterns that differ at most in the names of parameters.
    struct Group
    {
        Pattern pattern;
        std::array<const Entry*, 8> entries{};
        std::string allow;
    };

    static Result<Pattern> parse(std::string_view pattern);
    static bool sameShape(const Pattern& a, const Pattern& b);
    static std::size_t restLength(const Pattern& pattern, std::size_t segments);
    static const Segment& segmentAt(const Pattern& pattern, std::size_t index,
                                    std::size_t segments);
    static bool matches(const Pattern& pattern, const Path& path);
    static bool precedes(const Pattern& a, const Pattern& b, std::size_t segments);
    static Result<Exchange::Parameters> capture(const Pattern& pattern, const Path& path);

    Result<void> add(Route route);
    const Group* best(const Path& path) const;

    std::deque<Entry> _entries; // addresses must stay
    /// By the first segment, which every pattern has as a literal.
    std::map<std::string, std::vector<Group>, std::less<>> _groups;
};

} // namespace octostore::http
