// SPDX-License-Identifier: MIT
#include "RequestFields.h"

#include <algorithm>
#include <utility>

namespace octostore::coordination_api
{

template <class T>
T RequestFields::keep(Result<T> read)
{
    if (read)
        return *std::move(read);
    if (!_fault)
        _fault = read.error();
    return {};
}

void RequestFields::refuse(std::string_view key, std::string_view expected)
{
    if (!_fault)
        _fault = Error{ErrorCode::Unprocessable,
                       "`" + std::string(key) + "` must be " + std::string(expected) + "."};
}

std::string RequestFields::string(std::string_view key)
{
    return keep(_fields.string(key));
}

std::optional<std::string> RequestFields::optionalString(std::string_view key)
{
    return keep(_fields.optionalString(key));
}

std::optional<std::uint64_t> RequestFields::integer(std::string_view key)
{
    return keep(_fields.optionalInteger(key));
}

bool RequestFields::flag(std::string_view key)
{
    return keep(_fields.optionalBool(key)).value_or(false);
}

Uuid RequestFields::uuid(std::string_view key)
{
    const std::string text = string(key);
    const std::optional<Uuid> parsed = Uuid::parse(text);
    if (!parsed)
        refuse(key, "a UUID");
    return parsed.value_or(Uuid{});
}

std::optional<Uuid> RequestFields::optionalUuid(std::string_view key)
{
    const std::optional<std::string> text = optionalString(key);
    if (!text)
        return std::nullopt;
    const std::optional<Uuid> parsed = Uuid::parse(*text);
    if (!parsed)
        refuse(key, "a UUID");
    return parsed;
}

std::optional<std::vector<std::string>> RequestFields::accessList(std::string_view key)
{
    const JsonValue* value = _fields.find(key);
    if (value == nullptr)
        return std::nullopt;
    const JsonValue::Array* entries = nullptr;
    if (const JsonValue::Object* list = value->asObject())
    {
        if (const auto found = list->find("acquire"); found != list->end())
            entries = found->second.asArray();
    }
    const auto isText = [](const JsonValue& entry) { return entry.asString() != nullptr; };
    std::vector<std::string> written;
    if (entries == nullptr || !std::all_of(entries->begin(), entries->end(), isText))
        refuse(key, "an object whose `acquire` is a list of strings");
    else
        for (const JsonValue& entry : *entries)
            written.push_back(*entry.asString());
    return written;
}

Result<void> checkRange(ErrorCode code, std::string_view key, std::optional<std::uint64_t> value,
                        std::uint64_t least, std::uint64_t most)
{
    if (!value || (*value >= least && *value <= most))
        return {};
    return Error{code, "`" + std::string(key) + "` must be from " + std::to_string(least) + " to " +
                           std::to_string(most) + "."};
}

Result<void> firstFailure(std::initializer_list<Result<void>> checks)
{
    for (const Result<void>& check : checks)
    {
        if (!check)
            return check;
    }
    return {};
}

} // namespace octostore::coordination_api
