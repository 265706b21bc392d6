// SPDX-License-Identifier: MIT
/// @file
/// How expected failures travel: a closed set of codes, and a value or an error.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Assert.h>

#include <string>
#include <utility>
#include <variant>

namespace octostore
{

/// Every failure the server tells somebody about. The HTTP status and the wire name of each are in
/// http/ErrorResponse.h; a new code does not compile until it is mapped there.
enum class ErrorCode
{
    AuthenticationRequired, ///< No usable credential came with the request; send one.
    AuthenticationFailed,   ///< The credential is unknown; get a valid one.
    Forbidden,              ///< The caller may not do this, whatever it sends.
    LockLimitExceeded,      ///< The caller holds as many locks as it may; release one first.
    InvalidLockName,        ///< The lock name breaks the grammar; correct it.
    InvalidTtl,             ///< The TTL is outside its range; correct it.
    InvalidInput,           ///< Another value breaks a rule; correct it.
    NotFound,               ///< No such route, session, webhook or lock.
    LeaseMismatch,          ///< There is a lease, but not the one named; the caller has lost it.
    LeaseGone,              ///< There is no lease; the caller has lost it.
    LeaseExpired,           ///< The lease named ran out; the caller has lost it.
    SessionExpired,         ///< The session ran out; open a new one.
    Conflict,               ///< The state is another than the caller supposed; read it again.
    CapacityExceeded,       ///< A limit of the server is reached; try later.
    RateLimited,            ///< The caller asks too often; wait as told.
    Malformed,              ///< The request is not HTTP or its body not JSON; correct it.
    Unprocessable,          ///< The body is JSON of the wrong shape; correct it.
    UnsupportedMediaType,   ///< The body must be application/json; send the header.
    MethodNotAllowed,       ///< The path exists, but not with this method.
    PayloadTooLarge,        ///< The body is longer than the limit.
    UriTooLong,             ///< The request target is longer than the limit.
    HeadersTooLarge,        ///< The request head is longer than the limit.
    RequestTimeout,         ///< The request did not arrive whole in time.
    UpstreamUnavailable,    ///< A service this server depends on failed; try later.
    Unavailable,            ///< Nothing was changed and nothing can be now; try later.
    OutcomeUnknown,         ///< It may have been changed, now or later; read before acting.
    Overloaded,             ///< Nothing was changed, there is too much to do; try later.
    Draining,               ///< Nothing was changed, the server is stopping; try another or later.
    Restoring,              ///< The store was restored and grants nothing yet; wait as told.
    Configuration,          ///< The configuration is wrong; the message says where.
    Corrupt,                ///< Stored data is damaged; restore a backup.
    Internal,               ///< A fault of ours; the log has it under the request id.
};

/// What went wrong, for a program (`code`) and for a person (`message`: what, why, what to do).
struct Error
{
    ErrorCode code;
    std::string message;
};

/// A value or an Error. Thread-safety: thread-compatible.
template <class T>
class [[nodiscard]] Result
{
public:
    Result(T value) : _state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : _state(std::in_place_index<1>, std::move(error)) {}

    bool ok() const noexcept { return _state.index() == 0; }
    explicit operator bool() const noexcept { return ok(); }

    /// The value; asserts that there is one.
    T& operator*() &
    {
        OCTOSTORE_ASSERT(ok());
        return *std::get_if<0>(&_state);
    }
    const T& operator*() const&
    {
        OCTOSTORE_ASSERT(ok());
        return *std::get_if<0>(&_state);
    }
    T&& operator*() && { return std::move(**this); }
    T* operator->() { return &**this; }
    const T* operator->() const { return &**this; }

    /// The error; asserts that there is one.
    const Error& error() const
    {
        OCTOSTORE_ASSERT(!ok());
        return *std::get_if<1>(&_state);
    }

private:
    std::variant<T, Error> _state;
};

/// Success without a value, or an Error.
template <>
class [[nodiscard]] Result<void>
{
public:
    Result() = default;
    Result(Error error) : _failed(true), _error(std::move(error)) {}

    bool ok() const noexcept { return !_failed; }
    explicit operator bool() const noexcept { return ok(); }

    /// The error; asserts that there is one.
    const Error& error() const
    {
        OCTOSTORE_ASSERT(_failed);
        return _error;
    }

private:
    bool _failed = false;
    Error _error{ErrorCode::Internal, {}};
};

} // namespace octostore
