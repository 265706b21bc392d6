// SPDX-License-Identifier: MIT
#include <octostore/http/ErrorResponse.h>

#include <utility>

namespace octostore::http
{

namespace
{

struct WireForm
{
    int status;
    std::string_view code;
    std::string_view reason;
    std::string_view summary; ///< the `error` of the envelope, for a person
};

/// Without default: a new code does not compile until it has its row here.
WireForm wireForm(ErrorCode code) noexcept
{
    switch (code)
    {
    case ErrorCode::AuthenticationRequired:
        return {401, "authentication_required", "", "Authentication is required"};
    case ErrorCode::AuthenticationFailed:
        return {401, "authentication_failed", "", "The credential is not valid"};
    case ErrorCode::Forbidden:
        return {403, "forbidden", "", "This is not allowed"};
    case ErrorCode::LockLimitExceeded:
        return {403, "lock_limit_exceeded", "", "The caller holds as many locks as it may"};
    case ErrorCode::InvalidLockName:
        return {400, "invalid_lock_name", "", "The lock name is not valid"};
    case ErrorCode::InvalidTtl:
        return {400, "invalid_ttl", "", "The TTL is out of range"};
    case ErrorCode::InvalidInput:
        return {400, "invalid_input", "", "A value is not valid"};
    case ErrorCode::NotFound:
        return {404, "not_found", "", "Not found"};
    case ErrorCode::LeaseMismatch:
        return {400, "lease_not_current", "mismatch", "The lease is not current"};
    case ErrorCode::LeaseGone:
        return {404, "lease_not_current", "gone", "The lease is not current"};
    case ErrorCode::LeaseExpired:
        return {404, "lease_not_current", "expired", "The lease is not current"};
    case ErrorCode::SessionExpired:
        return {410, "session_expired", "", "The session has expired"};
    case ErrorCode::Conflict:
        return {409, "conflict", "", "The state has changed"};
    case ErrorCode::CapacityExceeded:
        return {409, "capacity_exceeded", "", "A limit of the server is reached"};
    case ErrorCode::RateLimited:
        return {429, "rate_limited", "", "Too many requests"};
    case ErrorCode::Malformed:
        return {400, "invalid_input", "", "The request is malformed"};
    case ErrorCode::Unprocessable:
        return {422, "invalid_input", "", "The body has the wrong shape"};
    case ErrorCode::UnsupportedMediaType:
        return {415, "invalid_input", "", "The content type must be application/json"};
    case ErrorCode::MethodNotAllowed:
        return {405, "invalid_input", "", "The method is not allowed here"};
    case ErrorCode::PayloadTooLarge:
        return {413, "invalid_input", "", "The body is too large"};
    case ErrorCode::UriTooLong:
        return {414, "invalid_input", "", "The request target is too long"};
    case ErrorCode::HeadersTooLarge:
        return {431, "invalid_input", "", "The request head is too large"};
    case ErrorCode::RequestTimeout:
        return {408, "invalid_input", "", "The request did not arrive in time"};
    case ErrorCode::UpstreamUnavailable:
        return {502, "upstream_unavailable", "", "A service this server depends on failed"};
    case ErrorCode::Unavailable:
        return {503, "internal_error", "storage_unavailable",
                "Storage is unavailable; nothing was changed"};
    case ErrorCode::OutcomeUnknown:
        return {503, "internal_error", "outcome_unknown",
                "The outcome is unknown; read before acting"};
    case ErrorCode::Overloaded:
        return {503, "internal_error", "overloaded",
                "The server is overloaded; nothing was changed"};
    case ErrorCode::Draining:
        return {503, "internal_error", "draining", "The server is stopping; nothing was changed"};
    case ErrorCode::Restoring:
        return {503, "internal_error", "restoring",
                "The store was restored; nothing is granted while leases from before may be live"};
    case ErrorCode::Configuration:
        return {500, "internal_error", "", "Internal error"};
    case ErrorCode::Corrupt:
        return {500, "internal_error", "", "Internal error"};
    case ErrorCode::Internal:
        return {500, "internal_error", "", "Internal error"};
    }
    return {500, "internal_error", "", "Internal error"};
}

std::optional<unsigned> retryAfterOf(ErrorCode code, const ErrorDetails& details) noexcept
{
    if (details.retryAfterSeconds)
        return details.retryAfterSeconds;
    return statusOf(code) == 503 ? std::optional<unsigned>(1) : std::nullopt;
}

} // namespace

int statusOf(ErrorCode code) noexcept
{
    return wireForm(code).status;
}

std::string_view wireNameOf(ErrorCode code) noexcept
{
    return wireForm(code).code;
}

std::string_view reasonOf(ErrorCode code) noexcept
{
    return wireForm(code).reason;
}

Response errorResponse(const Error& error, RequestId request, const ErrorDetails& details)
{
    const WireForm form = wireForm(error.code);
    const std::string requestId = toWire(request);
    const std::optional<unsigned> retryAfter = retryAfterOf(error.code, details);

    JsonWriter json;
    json.beginObject();
    json.field("code", form.code);
    // What went wrong inside is for the log, not for clients.
    json.field("details", form.status >= 500 || error.message.empty()
                              ? form.summary
                              : std::string_view(error.message));
    json.field("error", form.summary);
    if (!form.reason.empty())
        json.field("reason", form.reason);
    json.field("request_id", std::string_view(requestId));
    if (retryAfter)
        json.field("retry_after_ms", std::uint64_t{*retryAfter} * 1000);
    json.endObject();

    std::string body = json.take();
    if (!details.members.empty())
        body.insert(body.size() - 1, "," + details.members);
    Response response = jsonResponse(std::move(body), form.status);
    response.headers.add("x-request-id", requestId);
    if (retryAfter)
        response.headers.add("retry-after", std::to_string(*retryAfter));
    response.error = error.code;
    return response;
}

} // namespace octostore::http
