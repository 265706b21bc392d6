// SPDX-License-Identifier: MIT
#include "Reason.h"

#include <octostore/base/Text.h>

#include <cstdint>

namespace octostore::admin_api
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

Result<Term> readTerm(const JsonValue::Object& body)
{
    const JsonValue* value = JsonFields(body).find("term");
    const std::int64_t* term = value != nullptr ? value->asInteger() : nullptr;
    if (term == nullptr || *term <= 0)
        return Error{ErrorCode::InvalidInput,
                     "`term` is the term of the lease that is meant, a positive integer."};
    return Term(static_cast<std::uint64_t>(*term));
}

} // namespace octostore::admin_api
