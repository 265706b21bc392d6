// SPDX-License-Identifier: MIT
/// @file
/// How errors look on the wire.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Id.h>
#include <octostore/base/Json.h>
#include <octostore/base/Result.h>
#include <octostore/http/Message.h>

#include <optional>
#include <string>
#include <string_view>

namespace octostore::http
{

OCTOSTORE_API int statusOf(ErrorCode code) noexcept;
/// The `code` of the envelope.
OCTOSTORE_API std::string_view wireNameOf(ErrorCode code) noexcept;
/// The `reason` of the envelope: `storage_unavailable`, `gone`, ...; empty for most codes.
OCTOSTORE_API std::string_view reasonOf(ErrorCode code) noexcept;

struct ErrorDetails
{
    /// Retry-After, in seconds; the body has it in milliseconds.
    std::optional<unsigned> retryAfterSeconds;
    /// More fields of the envelope: the text of JSON members (`"ended":{...}`), or empty.
    std::string members;
};

/// The envelope `{code, details, error, ..., request_id}`. Details of 5xx are generic.
/// Unavailable, OutcomeUnknown, Overloaded, Draining and Restoring get Retry-After 1 by themselves.
OCTOSTORE_API Response errorResponse(const Error& error, RequestId request,
                                     const ErrorDetails& details = {});

} // namespace octostore::http
