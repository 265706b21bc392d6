// SPDX-License-Identifier: MIT
/// @file
/// Why a request did not do what it should, and what follows from that.
#pragma once

#include <octostore/base/Json.h>
#include <octostore/base/Result.h>
#include <octostore/base/Time.h>
#include <octostore/client/Http.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace octostore::client
{

/// `code` is the server's (a `rate_limited` for the reason `wrong_credentials` is
/// `authentication_failed`), or one of ours: `unknown_host`, `unreachable`, `certificate_invalid`,
/// `timeout`, `connection_broken`, `answer_too_large`, `cancelled`, `redirected`,
/// `invalid_response`, `server_error`.
struct Failure
{
    std::string code;
    std::string message;   ///< for a person: what and why
    std::string requestId; ///< empty when the server named none
    int status = 0;        ///< 0: no answer
    std::optional<Milliseconds> retryAfter;
    std::optional<std::uint64_t> endedTerm; ///< the term of the caller's own lease that has ended
};

/// What a transport failure, an error answer or an unreadable answer means. Not for answers that
/// were as expected.
Failure readFailure(const HttpOutcome& outcome);
/// An answer of the right status but of the wrong shape.
Failure invalidResponse(std::string message);

/// The JSON object of an answer with this status; anything else is a Failure.
std::variant<JsonValue::Object, Failure> readObject(const HttpOutcome& outcome, int status);

/// Whether the server said that the lease or session is over or cannot be renewed by this caller.
/// Everything else may be over tomorrow: it is retried until the safety deadline.
bool provesLoss(const Failure& failure) noexcept;

/// Whether waiting goes on before acquisition. What cannot get better by itself - a wrong name,
/// token, host or certificate - ends it.
bool worthRetrying(const Failure& failure) noexcept;

/// Whether the server does not know the session any more (a new one helps).
bool meansSessionOver(const Failure& failure) noexcept;

} // namespace octostore::client
