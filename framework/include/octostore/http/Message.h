// SPDX-License-Identifier: MIT
/// @file
/// Requests and responses as values, free of any HTTP library.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Result.h>
#include <octostore/base/Time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::http
{

enum class Method : std::uint8_t
{
    Get,
    Head,
    Post,
    Put,
    Patch,
    Delete,
    Options,
    Other, ///< known to HTTP or not, but used by no route
};

OCTOSTORE_API Method parseMethod(std::string_view text) noexcept;
OCTOSTORE_API std::string_view methodName(Method method) noexcept;

struct Header
{
    std::string name;
    std::string value;
};

/// In order of arrival; names compare without regard to case. Thread-safety: thread-compatible.
class OCTOSTORE_API Headers
{
public:
    void add(std::string name, std::string value);
    /// Replaces every header of that name.
    void set(std::string_view name, std::string value);
    /// The first of that name; null when there is none.
    const std::string* find(std::string_view name) const noexcept;
    std::size_t count(std::string_view name) const noexcept;
    const std::vector<Header>& all() const noexcept { return _headers; }

private:
    std::vector<Header> _headers;
};

/// A request that arrived whole, or as much of it as could be taken (`fault`).
struct Request
{
    Method method = Method::Other;
    std::string target; ///< as sent, path and query
    Headers headers;
    std::string body;
    std::string peer; ///< numeric address of the other end, without port
    BootTime arrived; ///< when its last byte was here
    /// Why the transport could not take it; the router answers with this. The connection is
    /// closed after the answer.
    std::optional<Error> fault;

    /// The target up to the first `?`, raw.
    OCTOSTORE_API std::string_view path() const noexcept;
    /// What follows the first `?`, raw; empty when there is none.
    OCTOSTORE_API std::string_view query() const noexcept;
};

struct Response
{
    int status = 200;
    Headers headers; ///< content-length, date and connection are the transport's
    std::string body;
    /// Set on error answers, for filters and metrics.
    std::optional<ErrorCode> error;
    /// The connection is closed after this answer.
    bool close = false;
};

/// 200 (or `status`) with a JSON body.
OCTOSTORE_API Response jsonResponse(std::string json, int status = 200);
/// 204.
OCTOSTORE_API Response emptyResponse();

} // namespace octostore::http
