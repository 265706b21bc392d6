// SPDX-License-Identifier: MIT
#include <octostore/base/Text.h>
#include <octostore/client/Failure.h>

#include <algorithm>
#include <array>
#include <utility>

namespace octostore::client
{

namespace
{

constexpr std::int64_t retryAfterMaxMilliseconds = 300'000;
constexpr std::size_t messageMax = 500;

constexpr std::array<std::string_view, 15> serverCodes{"authentication_required",
                                                       "authentication_failed",
                                                       "forbidden",
                                                       "lock_limit_exceeded",
                                                       "invalid_lock_name",
                                                       "invalid_ttl",
                                                       "invalid_input",
                                                       "not_found",
                                                       "lease_not_current",
                                                       "session_expired",
                                                       "conflict",
                                                       "capacity_exceeded",
                                                       "rate_limited",
                                                       "upstream_unavailable",
                                                       "internal_error"};

constexpr std::array<std::string_view, 9> lossCodes{
    "lease_not_current", "not_found",     "session_expired", "authentication_failed",
    "forbidden",         "invalid_input", "invalid_ttl",     "authentication_required",
    "invalid_lock_name"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& codes, std::string_view code) noexcept
{
    return std::find(codes.begin(), codes.end(), code) != codes.end();
}

std::string_view codeOf(TransportFault fault) noexcept
{
    switch (fault)
    {
    case TransportFault::UnknownHost:
        return "unknown_host";
    case TransportFault::Unreachable:
        return "unreachable";
    case TransportFault::Certificate:
        return "certificate_invalid";
    case TransportFault::Timeout:
        return "timeout";
    case TransportFault::Broken:
        return "connection_broken";
    case TransportFault::TooLarge:
        return "answer_too_large";
    case TransportFault::Cancelled:
        return "cancelled";
    }
    return "connection_broken";
}

/// For a person, and not too long.
std::string shown(std::string_view text)
{
    return printable(text.substr(0, messageMax));
}

bool isRequestId(std::string_view text) noexcept
{
    constexpr std::size_t length = 36;
    return text.size() == length && text.substr(0, 4) == "req_" &&
           std::all_of(text.begin() + 4, text.end(),
                       [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

std::string textOf(const JsonValue::Object& object, std::string_view key)
{
    const auto found = object.find(key);
    if (found == object.end() || found->second.asString() == nullptr)
        return {};
    return *found->second.asString();
}

std::optional<std::int64_t> integerOf(const JsonValue::Object& object, std::string_view key)
{
    const auto found = object.find(key);
    if (found == object.end() || found->second.asInteger() == nullptr)
        return std::nullopt;
    return *found->second.asInteger();
}

std::optional<std::uint64_t> endedTermOf(const JsonValue::Object& object)
{
    const auto found = object.find("ended");
    if (found == object.end() || found->second.asObject() == nullptr)
        return std::nullopt;
    const auto term = integerOf(*found->second.asObject(), "term");
    if (!term || *term < 0)
        return std::nullopt;
    return static_cast<std::uint64_t>(*term);
}

/// An answer that is no error envelope: something else than the server spoke, or the server itself
/// is in trouble.
Failure withoutEnvelope(const HttpAnswer& answer)
{
    const std::string status = std::to_string(answer.status);
    Failure failure;
    failure.status = answer.status;
    failure.code = answer.status >= 500 ? "server_error" : "invalid_response";
    failure.message = "the answer " + status + " is not one of an OctoStore server";
    if (answer.status >= 300 && answer.status < 400)
    {
        failure.code = "redirected";
        failure.message = "the server redirects to \"" + shown(answer.location) +
                          "\"; redirects are not followed, set the URL to where it really is";
    }
    return failure;
}

Failure readEnvelope(const HttpAnswer& answer)
{
    Failure failure = withoutEnvelope(answer);
    if (answer.status < 400)
        return failure;
    const auto object = readJson(answer.body);
    if (!object)
        return failure;
    const std::string code = textOf(*object, "code");
    if (!contains(serverCodes, code))
        return failure;
    failure.code = code;
    failure.message = shown(textOf(*object, "error"));
    const std::string details = shown(textOf(*object, "details"));
    if (!details.empty() && details != failure.message)
        failure.message += failure.message.empty() ? details : ": " + details;
    const std::string id = textOf(*object, "request_id");
    if (isRequestId(id))
        failure.requestId = id;
    failure.endedTerm = endedTermOf(*object);
    if (code == "rate_limited" && textOf(*object, "reason") == "wrong_credentials")
    {
        // The server has looked at the credential and has only stopped to say so at once.
        failure.code = "authentication_failed";
        return failure;
    }
    const auto retryAfter = integerOf(*object, "retry_after_ms");
    if (retryAfter && *retryAfter > 0)
        failure.retryAfter = Milliseconds(std::min(*retryAfter, retryAfterMaxMilliseconds));
    return failure;
}

} // namespace

Failure readFailure(const HttpOutcome& outcome)
{
    if (const auto* transport = std::get_if<TransportFailure>(&outcome))
    {
        Failure failure;
        failure.code = codeOf(transport->fault);
        failure.message = transport->message;
        return failure;
    }
    return readEnvelope(std::get<HttpAnswer>(outcome));
}

Failure invalidResponse(std::string message)
{
    Failure failure;
    failure.code = "invalid_response";
    failure.message = std::move(message);
    return failure;
}

std::variant<JsonValue::Object, Failure> readObject(const HttpOutcome& outcome, int status)
{
    const auto* answer = std::get_if<HttpAnswer>(&outcome);
    if (answer == nullptr || answer->status != status)
        return readFailure(outcome);
    auto object = readJson(answer->body);
    if (!object)
    {
        Failure failure =
            invalidResponse("the answer of the server is not readable: " + object.error().message);
        failure.status = answer->status;
        return failure;
    }
    return *std::move(object);
}

bool provesLoss(const Failure& failure) noexcept
{
    // A 408 says that the request did not arrive whole: nothing about the lease.
    return failure.status >= 400 && failure.status < 500 && failure.status != 408 &&
           contains(lossCodes, failure.code);
}

bool worthRetrying(const Failure& failure) noexcept
{
    if (failure.status >= 500 || failure.status == 408)
        return true;
    if (failure.code == "rate_limited" || failure.code == "capacity_exceeded")
        return true;
    if (failure.code == "unknown_host" || failure.code == "certificate_invalid")
        return false;
    // Half an answer, or a good status with a broken body: a proxy may have cut it.
    return failure.status < 300;
}

bool meansSessionOver(const Failure& failure) noexcept
{
    return failure.code == "session_expired" || failure.code == "not_found";
}

} // namespace octostore::client
