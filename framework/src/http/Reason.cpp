// SPDX-License-Identifier: MIT
#include <octostore/base/Text.h>
#include <octostore/http/Exchange.h>
#include <octostore/http/Reason.h>

namespace octostore::http
{

namespace
{

constexpr std::size_t reasonMax = 256;

} // namespace

Result<std::string> readReason(const JsonValue::Object& body)
{
    const JsonValue* value = JsonFields(body).find("reason");
    const std::string* reason = value != nullptr ? value->asString() : nullptr;
    if (reason == nullptr || trim(*reason).empty() || countScalars(*reason) > reasonMax)
        return Error{ErrorCode::InvalidInput,
                     "Say why: `reason` has 1 to 256 characters. It goes into the journal."};
    return *reason;
}

Result<std::string> readOptionalReason(const JsonValue::Object& body)
{
    if (JsonFields(body).find("reason") == nullptr)
        return std::string();
    return readReason(body);
}

Result<std::string> reasonOfAct(const Exchange& exchange)
{
    const auto& identity = exchange.identity();
    if (!identity || identity->role != Role::Admin)
        return std::string();
    if (!exchange.json().empty())
        return readOptionalReason(exchange.json());
    const auto body = readJson(exchange.request().body);
    return body ? readOptionalReason(*body) : std::string();
}

} // namespace octostore::http
