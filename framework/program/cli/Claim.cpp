// SPDX-License-Identifier: MIT
#include "Claim.h"

#include <algorithm>

namespace octostore::program
{

Claim::~Claim() = default;

std::string textMember(const JsonValue::Object& object, std::string_view key)
{
    const auto found = object.find(key);
    if (found == object.end() || found->second.asString() == nullptr)
        return {};
    return *found->second.asString();
}

std::optional<std::uint64_t> numberMember(const JsonValue::Object& object, std::string_view key)
{
    const auto found = object.find(key);
    if (found == object.end() || found->second.asInteger() == nullptr ||
        *found->second.asInteger() < 0)
        return std::nullopt;
    return static_cast<std::uint64_t>(*found->second.asInteger());
}

Milliseconds durationMember(const JsonValue::Object& object, std::string_view key)
{
    // More is nobody's intent, and the sum with an instant would overflow.
    constexpr std::uint64_t most = std::uint64_t{24} * 3'600'000;
    return Milliseconds(std::min(numberMember(object, key).value_or(0), most));
}

bool confirmsEnd(const client::Failure& failure, std::uint64_t term)
{
    return failure.code == "lease_not_current" && failure.endedTerm == term;
}

} // namespace octostore::program
