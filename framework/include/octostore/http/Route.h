// SPDX-License-Identifier: MIT
/// @file
/// What plugins serve, and what each route needs, declared in one place.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/http/Exchange.h>
#include <octostore/http/Message.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::http
{

/// The credential a route needs. Checked before the body is looked at.
enum class Access : std::uint8_t
{
    Public,   ///< none
    User,     ///< a bearer token or the admin key
    Observer, ///< an observer's or administrator's
    Admin,    ///< an administrator's
};

enum class Body : std::uint8_t
{
    Ignored, ///< any bytes are taken and not looked at
    Json,    ///< one JSON object, with a JSON content type
};

/// `/locks/{name...}/acquire`: literals, `{x}` for one segment, `{x...}` for one or more segments
/// (at most one of these in a pattern). Segments are compared raw and then decoded once. Where
/// several patterns match, literals win from the right-most segment on, then from the left.
/// A single segment after a prefix is always a value: `/locks/acquire` is `/locks/{name...}`.
struct Route
{
    Method method = Method::Get;
    std::string pattern;
    Access access = Access::Public;
    Body body = Body::Ignored;
    /// Counts against the admission budget of the client.
    bool admission = false;
    std::function<void(const ExchangePtr&)> handler;
};

/// Extension point: a plugin's routes. Called once, at start.
class OCTOSTORE_API RouteProvider
{
public:
    static constexpr std::string_view extensionPoint = "http.routes/1";
    virtual ~RouteProvider();
    virtual std::vector<Route> routes() = 0;
};

/// The status filters see of an answer that nobody waits for any more; it is never sent.
inline constexpr int clientLeft = 499;

/// Extension point: looks at every request that matched a route, after authentication and before
/// the body, and is told of the others. Thread-safety: thread-safe.
class OCTOSTORE_API Filter
{
public:
    static constexpr std::string_view extensionPoint = "http.filter/1";
    virtual ~Filter();
    /// A response refuses the request.
    virtual std::optional<Response> before(Exchange& exchange, const Route& route) noexcept = 0;
    /// May add headers to the answer; also called for answers of later filters, and once
    /// with `clientLeft` when the client goes before it was answered.
    virtual void after(Exchange& exchange, const Route& route, Response& response) noexcept = 0;
    /// A request is about to be answered with `error`, because its credential is missing, unknown
    /// or not enough. A response takes the place of that answer. By default: nothing.
    virtual std::optional<Response> denied(Exchange& exchange, const Route& route,
                                           const Error& error) noexcept;
    /// A request is about to be answered that matched no route, or could not be read at all
    /// (`exchange.request().fault`). By default: nothing.
    virtual void unmatched(const Exchange& exchange, const Response& response) noexcept;
};

} // namespace octostore::http
