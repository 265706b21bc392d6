// SPDX-License-Identifier: MIT
#include <octostore/base/Json.h>

namespace octostore
{

namespace
{

Error wrongType(std::string_view key, std::string_view expected)
{
    return {ErrorCode::Unprocessable,
            "`" + std::string(key) + "` must be " + std::string(expected)};
}

} // namespace

const JsonValue* JsonFields::find(std::string_view key) const noexcept
{
    const auto found = _object.find(key);
    if (found == _object.end() || found->second.isNull())
        return nullptr;
    return &found->second;
}

Result<std::string> JsonFields::string(std::string_view key) const
{
    const JsonValue* value = find(key);
    if (value == nullptr)
        return Error{ErrorCode::Unprocessable, "`" + std::string(key) + "` is missing"};
    if (const std::string* text = value->asString())
        return *text;
    return wrongType(key, "a string");
}

Result<std::optional<std::string>> JsonFields::optionalString(std::string_view key) const
{
    const JsonValue* value = find(key);
    if (value == nullptr)
        return std::optional<std::string>();
    if (const std::string* text = value->asString())
        return std::optional<std::string>(*text);
    return wrongType(key, "a string");
}

Result<std::optional<bool>> JsonFields::optionalBool(std::string_view key) const
{
    const JsonValue* value = find(key);
    if (value == nullptr)
        return std::optional<bool>();
    if (const bool* flag = value->asBool())
        return std::optional<bool>(*flag);
    return wrongType(key, "true or false");
}

Result<std::optional<std::uint64_t>> JsonFields::optionalInteger(std::string_view key,
                                                                 std::uint64_t most) const
{
    const JsonValue* value = find(key);
    if (value == nullptr)
        return std::optional<std::uint64_t>();
    const std::int64_t* number = value->asInteger();
    if (number == nullptr || *number < 0 || static_cast<std::uint64_t>(*number) > most)
        return wrongType(key, "an integer from 0 to " + std::to_string(most));
    return std::optional<std::uint64_t>(static_cast<std::uint64_t>(*number));
}

} // namespace octostore
